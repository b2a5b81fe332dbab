"""Answers of a recording. Nothing here can reach a provider: there is no client to reach one with."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from concurrent.futures import Executor

from tallystick.recording.gateway.asked import Asked
from tallystick.recording.gateway.bounds import Patience
from tallystick.recording.gateway.errors import BrokenAnswerError, NoAnswerError
from tallystick.recording.gateway.matching import Matcher
from tallystick.recording.gateway.source import GIVEN_UP, Answer, Delivered, EndedBy
from tallystick.recording.gateway.spec import Recording
from tallystick.records.traffic.cassette import Call
from tallystick.records.traffic.leaks import Renamed
from tallystick.records.traffic.normal import Normal
from tallystick.records.traffic.retries import ENDED_BY

__all__ = ["ReplaySource"]

_WAITS = frozenset({"retry-after", "retry-after-ms"})


class ReplaySource:
    """Serves recorded answers, errors and broken ones too, without the waits that they ask for."""

    def __init__(self, recording: Recording, matcher: Matcher, patience: Patience, work: Executor) -> None:
        self._recording, self._matcher, self._patience, self._work = recording, matcher, patience, work

    async def number(self, asked: Asked) -> tuple[int, Normal | None]:
        """See `Source.number`: that of the recorded call."""
        normal = await asyncio.get_running_loop().run_in_executor(self._work, asked.normal, self._matcher.rules)
        return self._matcher.take(asked.method, asked.path, normal), normal

    def delivered(self, number: int, seen: Delivered) -> Delivered:  # noqa: ARG002 - of the Protocol
        """See `Source.delivered`: as recorded, since the moment at which an agent hangs up says nothing."""
        call = self._recording.cassette.calls[number]
        headers = tuple((name, value) for name, value in call.answer_headers if name != ENDED_BY)
        ended_by = None if call.complete else _ended_by(call)
        return Delivered(call.status, headers, self._recording.blobs.read(call.answer), call.streamed, ended_by, "as recorded")

    def renamed(self, number: int) -> Renamed:
        """See `Source.renamed`."""
        return self._matcher.renamed(number)

    def changed(self) -> frozenset[str]:
        """See `Source.changed`."""
        return self._matcher.bijection.changed()

    def missing(self) -> str | None:
        """See `Source.missing`."""
        return self._matcher.missing()

    async def answer(self, number: int, asked: Asked) -> Answer:  # noqa: ARG002 - of the Protocol
        """See `Source.answer`."""
        call = self._recording.cassette.calls[number]
        if call.status == 0 and _ended_by(call) == "provider":
            raise NoAnswerError("recorded: no answer came")
        if _was_given_up(call):
            await asyncio.sleep(self._patience.gone)
            raise NoAnswerError("recorded: the agent did not wait for an answer, and now it does")
        headers = tuple((name, "0" if name in _WAITS else value) for name, value in call.answer_headers if name != ENDED_BY)
        return Answer(call.status, headers, self._pieces(call), streamed=call.streamed)

    async def _pieces(self, call: Call) -> AsyncGenerator[bytes]:
        data = self._recording.blobs.read(call.answer)
        if data:
            yield self._matcher.bijection.to_live(data)
        if call.complete:
            return
        if _ended_by(call) == "agent":
            await asyncio.sleep(self._patience.gone)
        raise BrokenAnswerError("recorded: it broke off")


def _was_given_up(call: Call) -> bool:
    """Whether no answer had come when the agent gave the call up."""
    return call.status in {0, GIVEN_UP} and _ended_by(call) == "agent" and call.answer_bytes == 0


def _ended_by(call: Call) -> EndedBy:
    return "agent" if (ENDED_BY, "agent") in call.answer_headers else "provider"
