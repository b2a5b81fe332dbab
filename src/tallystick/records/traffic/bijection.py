"""Which renamed value of a recording stands for which one of a later run: one to one, over a whole attempt."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import AnyStr, Final

from tallystick.core.visible import written_out

__all__ = ["Bijection"]

VALUES: Final = 100_000
"""Renamed values of one attempt: a thousand turns make a few thousand."""

_SHOWN: Final = 40


class Bijection:
    """Grows request by request; what contradicts it is a difference."""

    def __init__(self) -> None:
        self._live: dict[str, str] = {}
        self._recorded: dict[str, str] = {}
        self._handles: dict[str, str] = {}

    def join(self, recorded: Sequence[str], live: Sequence[str], handles: Collection[str] = ()) -> str | None:
        """Add the values of two equal requests, in order; `handles` are those recorded ones that answers may quote.

        Returns what is wrong, in words, and then adds nothing.
        """
        if len(recorded) != len(live):
            return f"{len(recorded)} values were renamed, now {len(live)}"
        fresh: dict[str, str] = {}
        back: dict[str, str] = {}
        for old, new in zip(recorded, live, strict=True):
            known, known_back = fresh.get(old, self._live.get(old)), back.get(new, self._recorded.get(new))
            if known not in {None, new} or known_back not in {None, old}:
                return _contradiction(old, new, known, known_back)
            fresh[old], back[new] = new, old
        if len(self._live) + len(fresh) > VALUES:
            return f"more than {VALUES} values were renamed"
        self._live |= fresh
        self._recorded |= back
        self._handles |= {old: fresh[old] for old in handles if old in fresh}
        return None

    def changed(self) -> frozenset[str]:
        """The recorded values that are others now: only these can harm where an answer holds them."""
        return frozenset(old for old, new in self._live.items() if old != new)

    def to_live(self, text: AnyStr) -> AnyStr:
        """A recorded answer with its handles as they are now."""
        return _mapped(text, self._handles)

    def to_recorded(self, text: AnyStr) -> AnyStr:
        """The inverse of `to_live`."""
        return _mapped(text, {new: old for old, new in self._handles.items()})


def _contradiction(old: str, new: str, known: str | None, known_back: str | None) -> str:
    def shown(value: str) -> str:
        return f'"{written_out(value[:_SHOWN])}"'

    if known not in {None, new}:
        return f"recorded {shown(old)} stood for {shown(known or '')}, now for {shown(new)}"
    return f"{shown(new)} stood for recorded {shown(known_back or '')}, now for {shown(old)}"


def _mapped(text: AnyStr, pairs: Mapping[str, str]) -> AnyStr:
    """`text` with whole words replaced, all at once, the longest first."""
    if isinstance(text, bytes):
        return _mapped_bytes(text, pairs)
    held = sorted((old for old, new in pairs.items() if old != new and old in text), key=len, reverse=True)
    if not held:
        return text
    found = re.compile(rf"(?<![0-9A-Za-z])(?:{'|'.join(map(re.escape, held))})(?![0-9A-Za-z])")
    return found.sub(lambda match: pairs[match[0]], text)


def _mapped_bytes(data: bytes, pairs: Mapping[str, str]) -> bytes:
    """The same for bytes, of which those outside UTF-8 stay as they are."""
    return _mapped(data.decode("utf-8", "surrogateescape"), pairs).encode("utf-8", "surrogateescape")
