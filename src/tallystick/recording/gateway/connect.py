"""A proxy for hosts that a run allows beside its models: CONNECT only, and only to those. What is said is not recorded."""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import re
import socket
from collections.abc import Callable, Coroutine
from typing import Final

from tallystick.recording.gateway import bounds

__all__ = ["Proxy"]

_REQUEST: Final = re.compile(rb"CONNECT ([0-9A-Za-z.-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\]):([0-9]{1,5}) HTTP/1\.[01]\r\n").match
_ABSOLUTE: Final = re.compile(rb"[A-Z]{1,16} http://([0-9A-Za-z.:-]{1,253})[/ ]").match
_CHUNK: Final = 64 * 1024


class Proxy:
    """Serves the proxy door of one attempt. `refused` gets every other host, `used` every allowed one that was reached."""

    def __init__(
        self,
        allowed: frozenset[str],
        refused: Callable[[str], None],
        used: Callable[[str, int], None],
        patience: bounds.Patience,
    ) -> None:
        self._allowed, self._refused, self._used, self._patience = allowed, refused, used, patience
        self._tunnels = 0
        self._served: dict[asyncio.Task[object], asyncio.StreamWriter] = {}

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one connection; one too many is closed at once."""
        if len(self._served) >= bounds.CONNECTIONS:
            writer.transport.abort()
            return
        task = asyncio.current_task()
        assert task is not None
        self._served[task] = writer
        try:
            with contextlib.closing(writer), contextlib.suppress(OSError, TimeoutError):
                await self._serve(reader, writer)
        finally:
            del self._served[task]

    async def close(self) -> None:
        """Close every connection, tunnels too."""
        served = dict(self._served)
        for task, writer in served.items():
            writer.transport.abort()
            task.cancel()
        if served:
            await asyncio.wait(served)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with asyncio.timeout(self._patience.head):
                head = await reader.readuntil(b"\r\n\r\n")
        except (asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            return
        found = _REQUEST(head)
        if found is None:
            if absolute := _ABSOLUTE(head):
                self._refused(absolute[1].decode().lower())
            writer.write(_answer("405 Method Not Allowed"))
            return
        host, port = found[1].decode().strip("[]").lower(), int(found[2])
        if f"{host}:{port}" not in self._allowed or self._tunnels >= bounds.TUNNELS:
            self._refused(f"{host}:{port}")
            writer.write(_answer("403 Forbidden"))
            return
        self._tunnels += 1
        try:
            await self._tunnel(host, port, reader, writer)
        finally:
            self._tunnels -= 1

    async def _tunnel(self, host: str, port: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with asyncio.timeout(self._patience.connect):
                far_reader, far_writer = await asyncio.open_connection(await _address(host, port), port)
        except (OSError, TimeoutError):
            writer.write(_answer("502 Bad Gateway"))
            return
        self._used(host, port)
        with contextlib.closing(far_writer):
            writer.write(b"HTTP/1.1 200 Connection Established\r\n\r\n")
            try:
                await _both(self._carry(reader, far_writer), self._carry(far_reader, writer))
            except asyncio.CancelledError:
                far_writer.transport.abort()  # whatever the host has not read, nobody waits for it any more
                raise

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Carry bytes one way until that side ends, or nothing came for too long."""
        while True:
            async with asyncio.timeout(self._patience.tunnel):
                data = await reader.read(_CHUNK)
                if not data:
                    break
                writer.write(data)
                await writer.drain()
        if writer.can_write_eof():
            writer.write_eof()


async def _both(*ways: Coroutine[object, object, None]) -> None:
    """Carry both ways until both end, or one breaks; then neither goes on."""
    tasks = [asyncio.ensure_future(way) for way in ways]
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)


async def _address(host: str, port: int) -> str:
    """Where a host is. A name may not lead back to this machine, unless the run allows the address itself.

    Raises:
        OSError: the name is unknown, or leads to this machine.
    """
    with contextlib.suppress(ValueError):
        return str(ipaddress.ip_address(host))
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    for *_, place in found:
        address = ipaddress.ip_address(place[0])
        if not (address.is_loopback or address.is_link_local or address.is_unspecified):
            return str(address)
    raise OSError("the name leads to this machine")


def _answer(status: str) -> bytes:
    return f"HTTP/1.1 {status}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n".encode()
