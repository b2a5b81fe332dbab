"""How an answer reaches the agent: whole where only the whole is of use, else piece by piece as it comes."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine
from typing import Final

from aiohttp import web

from tallystick.recording.gateway.bounds import Patience
from tallystick.recording.gateway.errors import NO_ANSWER, NoAnswerError, RefusalError
from tallystick.recording.gateway.keys import Needles
from tallystick.recording.gateway.source import GIVEN_UP, Answer, Delivered, EndedBy

__all__ = ["Delivery", "refusal"]

_FIXED: Final = (("date", "Tue, 14 Nov 2023 22:13:20 GMT"), ("server", "tally"))
"""Header fields of every answer. The date is where the clock of a sandbox begins: a real one would be another each time."""

_JSON: Final = "application/json"


def refusal(error: RefusalError) -> web.Response:
    """The gateway's own answer to a request. The clients of OpenAI and Anthropic would try some statuses again."""
    headers = [("content-type", _JSON), ("x-should-retry", "false"), *_FIXED]
    return web.Response(status=error.status, body=error.body(), headers=headers)


class Delivery:
    """Delivers one answer. `delivered` tells at any moment how far that went."""

    def __init__(self, request: web.BaseRequest, needles: Needles, patience: Patience, tick: Callable[[], None]) -> None:
        self._request, self._needles, self._patience, self._tick = request, needles, patience, tick
        self._answer: Answer | None = None
        self._pieces: list[bytes] = []
        self._ended_by: EndedBy | None = "agent"
        self._why = "the agent gave it up"

    def delivered(self) -> Delivered:
        """What the provider said, as far as it came, and who ended it."""
        data = b"".join(self._pieces)
        if self._answer is None:
            status = GIVEN_UP if self._ended_by == "agent" else 0
            return Delivered(status, (), b"", streamed=False, ended_by=self._ended_by, why=self._why)
        answer = self._answer
        return Delivered(answer.status, answer.headers, data, answer.streamed, self._ended_by, self._why)

    async def run(self, asking: Awaitable[Answer]) -> web.StreamResponse:
        """Wait for the answer and hand it on."""
        try:
            answer = await asking
        except NoAnswerError as error:
            return await self._failed(error)
        if any(self._needles.within(value.encode()) for _, value in answer.headers):
            return await self._failed(NoAnswerError("its header holds a secret that only the gateway may know"))
        self._answer = answer
        async with contextlib.aclosing(answer.pieces), contextlib.aclosing(self._needles.guard(answer.pieces)) as pieces:
            return await (self._stream(answer, pieces) if answer.streamed else self._whole(answer, pieces))

    async def _failed(self, error: NoAnswerError) -> web.StreamResponse:
        """Answer in place of the provider, before anything was delivered."""
        self._ended_by, self._why = "provider", str(error)
        return await self._send(502, (("content-type", _JSON),), NO_ANSWER)

    async def _whole(self, answer: Answer, pieces: AsyncGenerator[bytes]) -> web.StreamResponse:
        try:
            self._pieces.extend([piece async for piece in pieces])
        except NoAnswerError as error:
            return await self._failed(error)
        response = await self._send(answer.status, answer.headers, b"".join(self._pieces))
        self._ended_by = None
        return response

    async def _send(self, status: int, headers: tuple[tuple[str, str], ...], data: bytes) -> web.StreamResponse:
        self._tick()
        response = web.Response(status=status, body=data, headers=[*headers, *_FIXED])
        await self._patiently(response.prepare(self._request), response.write_eof())
        return response

    async def _patiently(self, *writing: Coroutine[object, object, object]) -> None:
        """Wait for an agent to read. Raises ConnectionError where it has gone, or does not read."""
        try:
            async with asyncio.timeout(self._patience.request):
                for one in writing:
                    await one
        except TimeoutError:
            raise ConnectionAbortedError("the agent does not read") from None

    async def _stream(self, answer: Answer, pieces: AsyncGenerator[bytes]) -> web.StreamResponse:
        self._tick()
        response = web.StreamResponse(status=answer.status, headers=[*answer.headers, *_FIXED])
        reading: asyncio.Future[bytes] | None = None
        try:
            await self._patiently(response.prepare(self._request))
            while True:
                reading = asyncio.ensure_future(_next(pieces))
                piece = await asyncio.shield(reading)
                reading = None
                if not piece:
                    break
                self._pieces.append(piece)
                await self._patiently(response.write(piece))
            self._ended_by = None
            await self._patiently(response.write_eof())
        except NoAnswerError as error:
            reading = None
            self._ended_by, self._why = "provider", str(error)
            self._hang_up()
        except (asyncio.CancelledError, ConnectionError):
            if self._ended_by is not None:
                await self._see_the_end(reading or asyncio.ensure_future(_next(pieces)), pieces)
            self._hang_up()
            raise
        return response

    async def _see_the_end(self, reading: asyncio.Future[bytes], pieces: AsyncGenerator[bytes]) -> None:
        """Read on for a moment after the agent hung up: many do so at the last event, before the end of the stream."""
        try:
            async with asyncio.timeout(self._patience.ending):
                piece = await reading
                while piece:
                    self._pieces.append(piece)
                    piece = await _next(pieces)
            self._ended_by = None
        except (NoAnswerError, TimeoutError):
            pass  # it was given up

    def _hang_up(self) -> None:
        """Close the connection without the mark of an end, after what was written: the agent sees a broken answer."""
        if self._request.transport is not None:
            self._request.transport.close()


async def _next(pieces: AsyncGenerator[bytes]) -> bytes:
    """The next piece; no bytes after the last one."""
    return await anext(pieces, b"")
