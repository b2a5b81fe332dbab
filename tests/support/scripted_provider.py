"""A provider on the loopback interface that answers from a script, well-behaved or not. It never leaves this machine.

It speaks OpenAI Chat Completions and Responses, Anthropic Messages and Google generateContent, streamed and not. An answer is a
function of the request and of how many came before: a live provider names every answer anew.

`python -m tests.support.scripted_provider PORT [SCRIPT]` serves until it is ended; `SCRIPT` is one of `scripted_brain.SCRIPTS`.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import sys
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Final, Literal, Self

from aiohttp import web

from tests.support import scripted_wire as wire

__all__ = ["FLAKY", "Fault", "ScriptedProvider", "Seen"]

Fault = Literal[
    "429",  # too many requests, with a time to wait
    "503",  # overloaded
    "silent",  # accepts, and never answers
    "drop",  # closes the connection instead of answering
    "slow",  # a pause before each event, or before the answer
    "endless",  # a stream that never ends
    "short",  # fewer bytes than declared
    "long",  # more bytes than declared
    "cut",  # a stream that breaks off in the middle
    "gzip",  # compressed, though nobody asked
    "bomb",  # compressed to a thousandth
    "echo",  # the key it was called with, in the answer
    "echo-slowly",  # the same in a stream, byte by byte
    "redirect",  # to another host
]
FLAKY: Final[Mapping[int, Fault]] = {1: "429", 3: "503"}
"""The second and the fourth call fail; a client that tries again gets its answer."""

PAUSE_S: Final = 0.2
MANY: Final = 4096


@dataclass(frozen=True, slots=True)
class Seen:
    """A request as it arrived."""

    method: str
    path: str
    query: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class ScriptedProvider:
    """Serves in a thread of its own between `with` and its end. `faults` says which calls go wrong, counted from 0."""

    script: str = "plain"
    faults: Mapping[int, Fault] = field(default_factory=dict)
    port: int = 0
    accepts: int = 0
    """Connections that were accepted: what a replay must not make one of."""
    seen: list[Seen] = field(default_factory=list)
    pause_s: float = PAUSE_S
    padding: int = 0
    """Spaces after a JSON document, to make it that much longer."""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def __enter__(self) -> Self:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="provider", daemon=True)
        self._thread.start()
        asyncio.run_coroutine_threadsafe(self.serve(), self._loop).result()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        asyncio.run_coroutine_threadsafe(self._close(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def serve(self) -> None:
        """Listen, on any port where none was asked for."""
        self._http = web.Server(self._answer, access_log=None, handler_cancellation=True)
        self._server = await asyncio.get_running_loop().create_server(self._accept, "127.0.0.1", self.port, backlog=1024)
        self.port = self._server.sockets[0].getsockname()[1]

    def _accept(self) -> asyncio.Protocol:
        self.accepts += 1
        return self._http()

    async def _close(self) -> None:
        self._server.close()
        for connection in self._http.connections:
            connection.force_close()
        await self._http.shutdown(0.1)
        await asyncio.sleep(0)

    async def _answer(self, request: web.BaseRequest) -> web.StreamResponse:
        body = await request.read()
        number = len(self.seen)
        path, _, query = request.raw_path.partition("?")
        headers = {name.lower(): value for name, value in request.headers.items()}
        seen = Seen(request.method, path, query, headers, body)
        self.seen.append(seen)
        fault = self.faults.get(number)
        if fault is not None and (early := await self._misbehave(fault, request, seen)) is not None:
            return early
        spoken = self._speak(seen, number)
        if spoken is None:
            return _error(404, "not_found_error", "not found")
        if spoken.streams:
            return await self._stream(request, spoken, fault)
        return await self._document(request, spoken, fault)

    def _speak(self, seen: Seen, number: int) -> wire.Spoken | None:
        path = seen.path
        if seen.method == "GET" and path.endswith("/models"):
            model = {"id": "scripted", "object": "model", "created": wire.CREATED, "owned_by": "tests"}
            return wire.Spoken({"object": "list", "data": [model], "models": []}, (), streams=False)
        if seen.method != "POST":
            return None
        if path.endswith(("/count_tokens", ":countTokens")):
            return wire.Spoken({"input_tokens": 100, "totalTokens": 100}, (), streams=False)
        for ending, speak in (("/chat/completions", wire.chat), ("/responses", wire.responses), ("/messages", wire.messages)):
            if path.endswith(ending):
                return speak(self.script, seen.json, number)
        if path.endswith((":generateContent", ":streamGenerateContent")):
            return wire.generate(self.script, seen.json, number, streams=":stream" in path)
        return None

    async def _misbehave(self, fault: Fault, request: web.BaseRequest, seen: Seen) -> web.StreamResponse | None:
        if fault == "429":
            return _error(429, "rate_limit_error", "slow down", {"retry-after": "1"})
        if fault == "503":
            return _error(503, "overloaded_error", "overloaded")
        if fault == "redirect":
            return _error(307, "moved", "elsewhere", {"location": "http://192.0.2.1/"})
        if fault == "echo":
            return _error(400, "invalid_request_error", f"your key is {_key(seen)}")
        if fault == "silent":
            await asyncio.sleep(3600)
        if fault == "drop" and request.transport is not None:
            request.transport.abort()
        return None

    async def _document(self, request: web.BaseRequest, spoken: wire.Spoken, fault: Fault | None) -> web.StreamResponse:
        data = json.dumps(spoken.document).encode() + b" " * self.padding
        if fault == "slow":
            await asyncio.sleep(self.pause_s)
        if fault == "bomb":
            data += b" " * (65 << 20)
        if fault in {"gzip", "bomb"}:
            packed = gzip.compress(data, 1, mtime=0)
            return web.Response(body=packed, headers={"content-type": "application/json", "content-encoding": "gzip"})
        declared = len(data) + {"short": 10, "long": -10}.get(fault or "", 0)
        if declared == len(data):
            return web.Response(body=data, content_type="application/json")
        assert request.transport is not None
        head = f"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {declared}\r\n\r\n"
        request.transport.write(head.encode() + data)
        request.transport.close()
        return web.Response()

    async def _stream(self, request: web.BaseRequest, spoken: wire.Spoken, fault: Fault | None) -> web.StreamResponse:
        response = web.StreamResponse(headers={"content-type": "text/event-stream", "cache-control": "no-cache"})
        await response.prepare(request)
        for at, event in enumerate(spoken.events):
            if fault == "slow":
                await asyncio.sleep(self.pause_s)
            if fault == "cut" and at == len(spoken.events) // 2:
                assert request.transport is not None
                request.transport.close()
                return response
            await response.write(_event(*event))
        while fault == "endless":
            await response.write(b": still here\n" * MANY)
        if fault == "echo-slowly":
            key = request.headers.get("authorization", "").removeprefix("Bearer ") or request.headers.get("x-api-key", "")
            for letter in key:
                await response.write(letter.encode())
                await asyncio.sleep(0.001)
        await response.write_eof()
        return response


def _key(seen: Seen) -> str:
    return seen.headers.get("authorization", "").removeprefix("Bearer ") or seen.headers.get("x-api-key", "")


def _event(name: str | None, data: Any) -> bytes:
    text = data if isinstance(data, str) else json.dumps(data)
    return (f"event: {name}\n" if name else "").encode() + f"data: {text}\n\n".encode()


def _error(status: int, kind: str, message: str, headers: Mapping[str, str] | None = None) -> web.Response:
    body = {"type": "error", "error": {"type": kind, "message": message, "code": status, "status": kind.upper()}}
    return web.json_response(body, status=status, headers=headers)


def main() -> None:
    """Serve until ended; the port is printed first."""
    port, script = int(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else "plain"
    provider = ScriptedProvider(script, FLAKY if script == "flaky" else {}, port)
    loop = asyncio.new_event_loop()
    loop.run_until_complete(provider.serve())
    print(provider.port, flush=True)
    loop.run_forever()


if __name__ == "__main__":
    main()
