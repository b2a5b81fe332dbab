"""Which recorded call a request is: the lowest-numbered one not yet served whose normalised request is equal."""

from __future__ import annotations

from dataclasses import dataclass

from tallystick.core.digest import Digest
from tallystick.recording.gateway.source import DivergedError
from tallystick.recording.gateway.spec import Recording
from tallystick.records.traffic.bijection import Bijection
from tallystick.records.traffic.bodies import restore, restore_all
from tallystick.records.traffic.cassette import Call
from tallystick.records.traffic.difference import first_difference
from tallystick.records.traffic.leaks import Renamed
from tallystick.records.traffic.normal import Normal, normalise
from tallystick.records.traffic.rules import RuleSet

__all__ = ["Matcher"]


@dataclass(frozen=True, slots=True)
class _Recorded:
    """What a request is compared with."""

    digest: Digest
    values: tuple[str, ...]
    handles: frozenset[str]


class Matcher:
    """The calls of a recording that are still to be made. Requests are normalised again, with the reader's rules."""

    def __init__(self, recording: Recording, rules: RuleSet) -> None:
        """Read every recorded request; raises `BodyError` or `MissingBlobError` where one is not whole."""
        self._recording, self.rules = recording, rules
        self.bijection = Bijection()
        calls = recording.cassette.calls
        self._recorded = [
            self._read(call, body) for call, body in zip(calls, restore_all(calls, recording.blobs.read), strict=True)
        ]
        self._unserved = dict.fromkeys(range(len(self._recorded)))

    def _normal(self, call: Call, body: bytes) -> Normal:
        return normalise(self.rules, call.method, call.path, call.query, call.headers, body)

    def _read(self, call: Call, body: bytes) -> _Recorded:
        normal = self._normal(call, body)
        return _Recorded(normal.digest, normal.values, normal.handles)

    def take(self, method: str, path: str, live: Normal) -> int:
        """The number of the recorded call that `live` is; it is served from now on.

        Raises:
            DivergedError: there is none, or its values contradict what was renamed before.
        """
        number = next((number for number in self._unserved if self._recorded[number].digest == live.digest), None)
        if number is None:
            raise DivergedError(self._difference(method, path, live))
        del self._unserved[number]
        problem = self.bijection.join(self._recorded[number].values, live.values, self._recorded[number].handles)
        if problem:
            raise DivergedError(f"call {number}: {problem}")
        return number

    def renamed(self, number: int) -> Renamed:
        """What the rules renamed in a recorded request."""
        return self._recorded[number]

    def _difference(self, method: str, path: str, live: Normal) -> str:
        calls = self._recording.cassette.calls
        nearest = next(
            (number for number in self._unserved if (calls[number].method, calls[number].path) == (method, path)), None
        )
        if nearest is None:
            same = sum(1 for call in calls if (call.method, call.path) == (method, path))
            return f"one call more than recorded: {method} {path} (recorded: {same})"
        body = restore(nearest, calls, self._recording.blobs.read)
        return f"call {nearest}: {first_difference(self._normal(calls[nearest], body), live)}"

    def missing(self) -> str | None:
        """The recorded calls that were not made, in one line; None where all were."""
        if not self._unserved:
            return None
        first = next(iter(self._unserved))
        call = self._recording.cassette.calls[first]
        noun = "call was" if len(self._unserved) == 1 else "calls were"
        return f"{len(self._unserved)} recorded {noun} not made (first: call {first}, {call.method} {call.path})"
