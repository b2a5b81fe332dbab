"""Renamed values that come back in a later answer: a program that is given the recorded answer would read another's value.

A value that an answer held before any request did is the model's own, and no leak.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final

from tallystick.records.traffic.answers import answer_texts
from tallystick.records.traffic.normal import Normal

__all__ = ["FOLLOWED", "SHORTEST", "LeakWatch", "leaks"]

SHORTEST: Final = 6
"""Characters of a value that is looked for: a shorter one stands in many answers by chance."""

FOLLOWED: Final = 4096
"""Values of one attempt that are looked for in its answers: a thousand turns rename about a thousand."""


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
        self.leaked: dict[str, None] = {}
        """What leaked so far, in order."""
        self.overflow = False
        """Whether more values were renamed than are followed: then nobody can say that none leaked."""

    def asked(self, request: Normal) -> None:
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
        self._answers += texts
        found = [value for value in self._followed if any(value in text for text in texts)]
        self.leaked |= dict.fromkeys(found)
