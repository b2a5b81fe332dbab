"""A try that was cut off has paid for its calls: the next try of the attempt gets those answers again, and goes on live."""

from __future__ import annotations

import asyncio
from concurrent.futures import Executor

from tallystick.recording.gateway.asked import Asked
from tallystick.recording.gateway.bounds import Patience
from tallystick.recording.gateway.live import LiveSource
from tallystick.recording.gateway.matching import Matcher
from tallystick.recording.gateway.replay import ReplaySource
from tallystick.recording.gateway.source import Answer, Delivered, DivergedError
from tallystick.recording.gateway.spec import Recording
from tallystick.records.traffic.cassette import Cassette
from tallystick.records.traffic.normal import Normal

__all__ = ["PaidSource", "worth_keeping"]

_OK = range(200, 300)


def worth_keeping(paid: Recording) -> Recording | None:
    """The recording up to its first call that has no good answer: what failed is asked again. None where nothing is left."""
    calls = paid.cassette.calls
    good = next((place for place, call in enumerate(calls) if not call.complete or call.status not in _OK), len(calls))
    if good == 0:
        return None
    return Recording(Cassette(rules=paid.cassette.rules, calls=calls[:good]), paid.blobs)


class PaidSource:
    """Answers from the paid calls what equals one of them, and asks the provider for everything else.

    Calls are numbered as they come, and each enters the cassette as it was delivered.
    """

    def __init__(self, paid: Recording, matcher: Matcher, live: LiveSource, patience: Patience, work: Executor) -> None:
        self._matcher, self._live, self._work = matcher, live, work
        self._replay = ReplaySource(paid, matcher, patience, work)
        self._served: dict[int, int] = {}

    async def number(self, asked: Asked) -> tuple[int, Normal | None]:
        """See `Source.number`: the next one, whoever answers."""
        normal = await asyncio.get_running_loop().run_in_executor(self._work, asked.normal, self._matcher.rules)
        number, _ = await self._live.number(asked)
        try:
            self._served[number] = self._matcher.take(asked.method, asked.path, normal)
        except DivergedError:
            return number, normal  # not among the paid ones: it is asked
        return number, normal

    async def answer(self, number: int, asked: Asked) -> Answer:
        """See `Source.answer`."""
        if number in self._served:
            return await self._replay.answer(self._served[number], asked)
        return await self._live.answer(number, asked)

    def delivered(self, number: int, seen: Delivered) -> Delivered:  # noqa: ARG002 - of the Protocol
        """See `Source.delivered`: as it looked."""
        return seen

    def renamed(self, number: int) -> None:
        """See `Source.renamed`: this attempt is recorded itself."""

    def changed(self) -> None:
        """See `Source.changed`: as above."""

    def missing(self) -> str | None:
        """See `Source.missing`: nothing had to be asked again."""
        return None
