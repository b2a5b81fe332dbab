"""What listens for one attempt: HTTP on its door, the proxy, and the name server."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
from collections.abc import Awaitable, Callable
from typing import Final

from aiohttp import web

from tallystick.recording.gateway import bounds
from tallystick.recording.gateway.connect import Proxy
from tallystick.recording.gateway.names import NameServer

__all__ = ["Listening"]

_QUIET: Final = logging.getLogger("tallystick.gateway")
_QUIET.addHandler(logging.NullHandler())  # what is malformed is answered, not printed
_QUIET.propagate = False

_LINGER_S: Final = 1.0
"""Seconds for the rest of a request that was refused before it was read."""

_FRESH_S: Final = 0.1
"""Seconds after which an accepted connection is among those of the server: many are accepted in one turn of the loop."""


class Listening:
    """The servers of one attempt."""

    def __init__(self, handle: Callable[[web.BaseRequest], Awaitable[web.StreamResponse]], patience: bounds.Patience) -> None:
        self._http = web.Server(
            handle,
            handler_cancellation=True,
            logger=_QUIET,
            access_log=None,
            keepalive_timeout=patience.idle,
            max_line_size=bounds.LINE_BYTES,
            max_field_size=bounds.FIELD_BYTES,
            max_headers=bounds.FIELDS,
            lingering_time=_LINGER_S,
        )
        self._head_s = patience.head
        self._fresh: set[web.RequestHandler] = set()  # accepted, and perhaps not yet among the connections
        self._servers: list[asyncio.Server] = []
        self._proxies: list[Proxy] = []
        self._names: list[asyncio.DatagramTransport] = []

    async def models(self, door: socket.socket) -> None:
        """Serve HTTP on a listening socket, which is closed with the others."""
        loop = asyncio.get_running_loop()
        self._servers.append(await loop.create_server(self._connection, sock=door))

    async def proxy(self, door: socket.socket, proxy: Proxy) -> None:
        """Serve a proxy on another one."""
        self._proxies.append(proxy)
        self._servers.append(await asyncio.start_server(proxy.serve, sock=door, limit=bounds.PROXY_HEAD_BYTES))

    async def names(self, door: socket.socket, server: NameServer) -> None:
        """Answer for names on a UDP socket."""
        loop = asyncio.get_running_loop()
        transport, _ = await loop.create_datagram_endpoint(lambda: server, sock=door)
        self._names.append(transport)

    def _connection(self) -> asyncio.Protocol:
        if len(self._fresh.union(self._http.connections)) >= bounds.CONNECTIONS:
            return _Closed()
        protocol = self._http()
        loop = asyncio.get_running_loop()
        self._fresh.add(protocol)
        loop.call_later(_FRESH_S, self._fresh.discard, protocol)
        loop.call_later(self._head_s, _close_if_silent, protocol)
        return protocol

    async def close(self) -> None:
        """Close every socket and connection."""
        for server in self._servers:
            server.close()
        for transport in self._names:
            transport.close()
        for proxy in self._proxies:
            await proxy.close()
        self._http.pre_shutdown()
        for protocol in self._http.connections:
            protocol.force_close()
        with contextlib.suppress(TimeoutError):
            await self._http.shutdown(_LINGER_S)


class _Closed(asyncio.Protocol):
    """A connection too many."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Close it."""
        assert isinstance(transport, asyncio.Transport)
        transport.abort()


def _close_if_silent(protocol: web.RequestHandler) -> None:
    """Close a connection on which the head of a first request has not come in time."""
    if protocol._request_count == 0:  # noqa: SLF001 - no other way to tell
        protocol.force_close()
