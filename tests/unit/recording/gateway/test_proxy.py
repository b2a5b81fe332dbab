"""The proxy to hosts that a run allows: CONNECT to those, nothing else, and what was refused is noted."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Callable

import pytest

from tallystick.recording.gateway import bounds
from tallystick.recording.gateway.connect import Proxy
from tests.unit.recording.gateway.conftest import IMPATIENT


@dataclasses.dataclass
class World:
    """A host that says hello in capitals, and a proxy before it."""

    refused: list[str] = dataclasses.field(default_factory=list)
    used: list[tuple[str, int]] = dataclasses.field(default_factory=list)
    reached: int = 0

    async def _host(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reached += 1
        writer.write((await reader.read(100)).upper())
        writer.close()

    async def ask(self, request: bytes, allowed: tuple[str, ...] = ("127.0.0.1:{port}",), then: bytes = b"") -> bytes:
        """What comes back for a request, in which `{port}` is the host's."""
        host = await asyncio.start_server(self._host, "127.0.0.1", 0)
        port = str(host.sockets[0].getsockname()[1])
        hosts = frozenset(name.replace("{port}", port) for name in allowed)
        proxy = Proxy(hosts, self.refused.append, lambda name, number: self.used.append((name, number)), IMPATIENT)
        door = await asyncio.start_server(proxy.serve, "127.0.0.1", 0, limit=bounds.PROXY_HEAD_BYTES)
        reader, writer = await asyncio.open_connection(*door.sockets[0].getsockname())
        writer.write(request.replace(b"{port}", port.encode()))
        got = b""
        if then:
            got = await reader.readuntil(b"\r\n\r\n")
            writer.write(then)
        got += await reader.read()
        writer.close()
        for server in (host, door):
            server.close()
        self.refused = [name.replace(port, "{port}") for name in self.refused]
        return got


def test_an_allowed_host_is_reached_and_named() -> None:
    world = World()
    got = asyncio.run(world.ask(b"CONNECT 127.0.0.1:{port} HTTP/1.1\r\nhost: x\r\n\r\n", then=b"hello"))
    assert got == b"HTTP/1.1 200 Connection Established\r\n\r\nHELLO"
    assert (world.refused, [name for name, _ in world.used]) == ([], ["127.0.0.1"])


@pytest.mark.parametrize(
    ("request_line", "status", "noted"),
    [
        (b"CONNECT 127.0.0.2:{port} HTTP/1.1", b"403", ["127.0.0.2:{port}"]),
        (b"CONNECT LOCALHOST:22 HTTP/1.1", b"403", ["localhost:22"]),
        (b"CONNECT 127.0.0.1:{port}@other:1 HTTP/1.1", b"405", []),
        (b"GET http://Example.com/ HTTP/1.1", b"405", ["example.com"]),
        (b"GET / HTTP/1.1", b"405", []),
        (b"CONNECT [::1]:80 HTTP/1.1", b"403", ["::1:80"]),
    ],
)
def test_anything_else_is_refused(request_line: bytes, status: bytes, noted: list[str]) -> None:
    world = World()
    got = asyncio.run(world.ask(request_line + b"\r\n\r\n"))
    assert got.split(b" ")[1] == status
    assert (world.refused, world.used, world.reached) == (noted, [], 0)


def test_an_allowed_name_may_not_lead_to_this_machine() -> None:
    world = World()
    got = asyncio.run(world.ask(b"CONNECT localhost:{port} HTTP/1.1\r\n\r\n", allowed=("localhost:{port}",)))
    assert got.split(b" ")[1] == b"502"
    assert (world.used, world.reached) == ([], 0)


@pytest.mark.parametrize("head", [b"CONNECT ", b"x" * 100_000, b"CONNECT a:1 HTTP/1.1\r\n" + b"x: y\r\n" * 10_000])
def test_a_head_without_end_is_closed(head: bytes) -> None:
    world = World()
    assert asyncio.run(world.ask(head)) == b""
    assert world.reached == 0


async def _silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.read()
    writer.close()


async def _closed_with_its_attempt() -> tuple[bytes, list[bytes], set[str]]:
    host = await asyncio.start_server(_silent, "127.0.0.1", 0)
    port = host.sockets[0].getsockname()[1]
    proxy = Proxy(frozenset({f"127.0.0.1:{port}"}), lambda _: None, lambda *_: None, IMPATIENT)
    door = await asyncio.start_server(proxy.serve, "127.0.0.1", 0, limit=bounds.PROXY_HEAD_BYTES)
    before = asyncio.all_tasks()
    tunnel, idle = [await asyncio.open_connection(*door.sockets[0].getsockname()) for _ in range(2)]
    tunnel[1].write(f"CONNECT 127.0.0.1:{port} HTTP/1.1\r\n\r\n".encode())
    said = await tunnel[0].readuntil(b"\r\n\r\n")
    door.close()
    await proxy.close()
    ends = [await _end(reader) for reader, _ in (tunnel, idle)]
    for _, writer in (tunnel, idle):
        writer.close()
    await _until(lambda: not asyncio.all_tasks() - before)
    host.close()
    return said, ends, {task.get_name() for task in asyncio.all_tasks() - before}


async def _until(holds: Callable[[], bool]) -> None:
    """Wait until it holds, for about ten seconds at most."""
    for _ in range(1000):
        if holds():
            return
        await asyncio.sleep(0.01)


async def _end(reader: asyncio.StreamReader) -> bytes:
    try:
        return await asyncio.wait_for(reader.read(), 5)
    except ConnectionError:
        return b""


def test_tunnels_end_with_their_attempt() -> None:
    said, ends, left = asyncio.run(_closed_with_its_attempt())
    assert said.startswith(b"HTTP/1.1 200 ")
    assert (ends, left) == ([b"", b""], set())


def _ended(reader: asyncio.StreamReader) -> bool:
    return reader.at_eof() or reader.exception() is not None


async def _too_many() -> int:
    proxy = Proxy(frozenset(), lambda _: None, lambda *_: None, dataclasses.replace(IMPATIENT, head=60))
    door = await asyncio.start_server(proxy.serve, "127.0.0.1", 0)
    held = [await asyncio.open_connection(*door.sockets[0].getsockname()) for _ in range(bounds.CONNECTIONS + 5)]
    readers = [reader for reader, _ in held]
    await _until(lambda: sum(map(_ended, readers)) >= 5)
    closed = [*map(_ended, readers)]
    for _, writer in held:
        writer.close()
    door.close()
    await proxy.close()
    return sum(closed)


def test_connections_that_ask_nothing_are_bounded() -> None:
    assert asyncio.run(_too_many()) == 5
