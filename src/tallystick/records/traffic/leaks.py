"""Renamed values that come back in a later answer: a program that is given the recorded answer would read another's value.

A value that an answer held before any request did is the model's own, and no leak.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable, Sequence
from typing import Final, Protocol

from tallystick.core import limits
from tallystick.records.traffic.answers import answer_texts

__all__ = ["FOLLOWED", "KEPT_BYTES", "SHORTEST", "LeakWatch", "Renamed", "leaks"]

SHORTEST: Final = 6
"""Characters of a value that is looked for: a shorter one stands in many answers by chance."""

FOLLOWED: Final = 4096
"""Values of one attempt that are looked for in its answers: a thousand turns rename about a thousand."""

KEPT_BYTES: Final = 128 * limits.MIB
"""Answers of one attempt that are kept to tell what they held before any request did: a thousand streams have half as much."""


class Renamed(Protocol):
    """A request, as far as it is of use here."""

    @property
    def values(self) -> Sequence[str]:
        """What was renamed, in order of first occurrence."""
        ...

    @property
    def handles(self) -> Collection[str]:
        """Those of them that an answer may hold."""
        ...


def leaks(values: Iterable[str], handles: Collection[str], answers_after: Iterable[tuple[str, bytes]]) -> tuple[str, ...]:
    """The values, in their order, that stand in one of the later answers (content type, body) and are no handles."""
    texts = [text for content_type, data in answers_after for text in answer_texts(content_type, data)]
    followed = (value for value in dict.fromkeys(values) if len(value) >= SHORTEST and value not in handles)
    return tuple(value for value in followed if any(value in text for text in texts))


class LeakWatch:
    """Follows one attempt, call by call: `asked` before the answer to a call, then `answered`."""

    def __init__(self) -> None:
        self._followed: dict[str, None] = {}
        self._known: set[str] = set()
        self._answers: list[str] = []
        self._room = KEPT_BYTES
        self.leaked: dict[str, None] = {}
        """What leaked so far, in order."""
        self.overflow = False
        """Whether more values were renamed than are followed, or more was answered than is kept: nobody can say what leaked."""

    def asked(self, request: Renamed) -> None:
        """Follow the renamed values of a request that no answer held before."""
        fresh = [value for value in request.values if len(value) >= SHORTEST and value not in self._known]
        for value in fresh:
            if len(self._known) >= FOLLOWED:
                self.overflow = True
                return
            self._known.add(value)
            if value not in request.handles and not any(value in text for text in self._answers):
                self._followed[value] = None

    def answered(self, content_type: str, data: bytes) -> None:
        """Look for the values followed so far in an answer."""
        texts = answer_texts(content_type, data)
        self._room -= sum(map(sys.getsizeof, texts))
        if self._room < 0:
            self.overflow = True
        else:
            self._answers += texts
        found = [value for value in self._followed if any(value in text for text in texts)]
        self.leaked |= dict.fromkeys(found)
