"""What is kept of each call. The work is done in a thread of the gateway, in the order of the calls, while providers think."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Executor, Future
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final

import msgspec

from tallystick.core import c1
from tallystick.core.digest import Digest, sha256
from tallystick.core.exact import to_fraction
from tallystick.recording.blobs import BlobStore
from tallystick.recording.gateway import bounds
from tallystick.recording.gateway.asked import Asked
from tallystick.recording.gateway.source import Delivered
from tallystick.records.base import UNSET, Num, UnsetType, digest_of, part_from_tree
from tallystick.records.traffic.bodies import Bodies
from tallystick.records.traffic.cassette import Call, Cassette, Usage
from tallystick.records.traffic.leaks import LeakWatch, Renamed
from tallystick.records.traffic.normal import COMPARED_HEADERS, Normal
from tallystick.records.traffic.prices import PriceTable
from tallystick.records.traffic.retries import ENDED_BY, retries
from tallystick.records.traffic.rules import Rename, RuleSet
from tallystick.records.traffic.told import cost_in, model_and_params
from tallystick.records.traffic.usage import read_answer

__all__ = ["Recorder"]

_OUT_FIRST_S: Final = 0.05
"""A request is kept that much later than it comes, so that the thread takes no time from a call that is answered at once."""


@dataclass(slots=True)
class _Entry:
    call: Call | None = None
    """None until the answer has ended."""
    why: str = ""
    begun: Call | None = field(default=None)


class Recorder:
    """The calls of one attempt. `store` is None where nothing is kept, and in replay, where everything is kept already."""

    def __init__(
        self,
        rules: RuleSet,
        prices: PriceTable | None,
        store: BlobStore | None,
        work: Executor,
        on_usage: Callable[[Usage, Fraction | None], None],
    ) -> None:
        self._rules, self._prices, self._store, self._work = rules, prices, store, work
        self._on_usage = on_usage
        self._bodies = Bodies()
        self._leaks = LeakWatch() if any(isinstance(rule, Rename) for rule in rules.rules) else None
        self._entries: dict[int, _Entry] = {}
        self._waiting: list[Callable[[], None]] = []
        self._last: Future[None] | None = None
        self.error: Exception | None = None
        self.on_call: Callable[[Call], None] | None = None
        """Is told of each call that is kept."""
        self._begun = self._kept = self._bytes = self._values = 0
        self.spans = 0
        self.unpriced: set[str] = set()
        self.uncounted: list[int] = []

    def begin(self, number: int, asked: Asked, normal: Normal | None, recorded: Renamed | None) -> None:
        """Keep a request: `normal` is its normalised form where that is known, `recorded` in replay what it stands for."""
        entry = self._entries[number] = _Entry()
        self._begun += 1
        self._waiting.append(lambda: self._keep_request(entry, number, asked, normal or asked.normal(self._rules), recorded))
        asyncio.get_running_loop().call_later(_OUT_FIRST_S, self._hand_over)

    def end(self, number: int, delivered: Delivered) -> None:
        """Keep its answer."""
        entry = self._entries[number]
        entry.why = delivered.why
        self._waiting.append(lambda: self._keep_answer(entry, number, delivered))
        self._hand_over()

    def _hand_over(self) -> None:
        """Give the thread what is waiting, in order."""
        if self._waiting:
            jobs, self._waiting = self._waiting, []
            self._last = self._work.submit(self._carry_out, jobs)

    def _carry_out(self, jobs: list[Callable[[], None]]) -> None:
        for job in jobs:
            try:
                job()
            except Exception as error:  # noqa: BLE001 - told by whoever closes the attempt
                self.error = self.error or error

    async def settle(self) -> None:
        """Wait until everything that was handed in is kept and counted."""
        self._hand_over()
        if self._last is not None and not self._last.done():
            await asyncio.wrap_future(self._last)

    @property
    def is_full(self) -> bool:
        """Whether one more call might be one too many for a cassette, those included that are not kept yet."""
        more = self._begun - self._kept + 1
        return (
            self._bytes + more * bounds.CALL_BYTES > bounds.CASSETTE_BYTES
            or self._values + more * bounds.CALL_VALUES > bounds.CASSETTE_VALUES
        )

    async def has_room(self) -> bool:
        """Whether one more call certainly fits. Waits for those that are not kept yet only where they may fill the cassette."""
        while self.is_full and self._begun > self._kept and self.error is None:
            await self.settle()
        return not self.is_full

    def _checked(self, call: Call) -> Call:
        """The call, if a cassette can hold it; raises `InputError` naming what it cannot hold."""
        data = c1.encode(call)
        self._weigh(data, 1)
        return part_from_tree(c1.decode(data), Call, f"call {call.call}")

    def _weigh(self, data: bytes, sign: int) -> None:
        self._bytes += sign * len(data)
        self._values += sign * sum(map(data.count, (b",", b"{", b"[")))

    def _put(self, data: bytes) -> Digest:
        return sha256(data) if self._store is None else self._store.put(data)

    def _keep_request(self, entry: _Entry, number: int, asked: Asked, normal: Normal, recorded: Renamed | None) -> None:
        body, part = self._bodies.cut(asked.body)
        self._put(part)
        self.spans += normal.spans
        if self._leaks:
            self._leaks.asked(recorded or normal)  # whichever values the answers may hold
        model, params = model_and_params(asked.api, asked.path, asked.body)
        entry.begun = self._checked(
            Call(
                call=number,
                api=asked.api,
                method=asked.method,
                path=asked.path,
                query=asked.query,
                headers=tuple((name, value) for name, value in asked.headers if name in COMPARED_HEADERS),
                request=normal.digest,
                body=body,
                status=0,
                answer_headers=(),
                answer=sha256(b""),
                answer_bytes=0,
                complete=False,
                streamed=False,
                model=model,
                params=params,
            )
        )
        self._kept += 1

    def _keep_answer(self, entry: _Entry, number: int, delivered: Delivered) -> None:
        begun = entry.begun
        if begun is None:
            return  # keeping the request failed, and that error is told
        ended = () if delivered.ended_by is None else ((ENDED_BY, delivered.ended_by),)
        answered = read_answer(begun.api, delivered.content_type, delivered.data, delivered.headers)
        if self._leaks:
            self._leaks.answered(delivered.content_type, delivered.data)
        answered_by = UNSET if answered.model is None else answered.model
        usage = UNSET if answered.usage is None else answered.usage
        cost = self._cost(usage, answered_by, begun.model)
        if answered.usage is None and begun.api != "other" and delivered.status == 200:  # noqa: PLR2004 - OK
            self.uncounted.append(number)
        self._weigh(c1.encode(begun), -1)  # the whole call stands in its place
        entry.call = self._checked(
            msgspec.structs.replace(
                begun,
                status=delivered.status,
                answer_headers=(*delivered.headers, *ended),
                answer=self._put(delivered.data),
                answer_bytes=len(delivered.data),
                complete=delivered.ended_by is None,
                streamed=delivered.streamed,
                answered_by=answered_by,
                usage=usage,
                cost_usd=cost,
            )
        )
        if self.on_call is not None and self._store is not None:
            self.on_call(entry.call)
        if answered.usage is not None:
            self._on_usage(answered.usage, None if cost is UNSET else to_fraction(cost))

    def _cost(self, usage: Usage | UnsetType, answered_by: str | UnsetType, asked_for: str | UnsetType) -> Num | UnsetType:
        """What the call cost; of a model that the table does not know, its name is noted."""
        cost = cost_in(self._prices, usage, answered_by, asked_for)
        if cost is UNSET and usage is not UNSET and self._prices is not None:
            self.unpriced.add(next((name for name in (answered_by, asked_for) if name is not UNSET), "unnamed"))
        return cost

    def leaks(self, changed: frozenset[str] | None) -> int:
        """Renamed values that occur in a later answer and are no handles; one more where there were too many to tell.

        In replay those that are the same as when they were recorded do no harm; `changed` are the others.
        """
        if not self._leaks:
            return 0
        leaked = self._leaks.leaked if changed is None else changed & self._leaks.leaked.keys()
        return len(leaked) + self._leaks.overflow

    def calls(self) -> tuple[Call, ...]:
        """Every call that ended, in the order of numbers, those that repeat an earlier failed one marked."""
        entries = (self._entries[number].call for number in sorted(self._entries))
        found = [call for call in entries if call is not None]
        marked = zip(found, retries(found), strict=True)
        return tuple(msgspec.structs.replace(call, retry_of=earlier) for call, earlier in marked)

    def why(self, number: int) -> str:
        """Why the answer of a call is not complete, for people."""
        return self._entries[number].why

    def cassette(self) -> Cassette:
        """The calls as a document; every blob that it names was handed to the store."""
        return Cassette(rules=digest_of(self._rules), calls=self.calls())
