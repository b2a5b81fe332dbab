"""Drawn numbers: the same on every machine and in every version of Python, from the text of a seed alone.

The stream is SHA-256 in counter mode (NIST SP 800-90A, section 10.1, drawn down to what repeatability needs): block n is the
digest of the key's 32 bytes followed by n as eight bytes, big end first. `random.Random` promises to repeat `random()` only.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from tallystick.core.digest import raw, sha256

__all__ = ["Draws"]

T = TypeVar("T")


class Draws:
    """A stream of choices. Each call takes from it, so the order of calls is part of what is drawn."""

    def __init__(self, *words: str) -> None:
        """The stream of `words`, each text without NUL: purpose, family, seed, number."""
        self._key = raw(sha256("\0".join(("tallystick/draw/v1", *words)).encode()))
        self._block = 0
        self._left = b""

    def apart(self, name: str) -> Draws:
        """Another stream, named after this one: what is drawn there moves nothing here."""
        return Draws(self._key.hex(), name)

    def below(self, bound: int) -> int:
        """A number from 0 up to below `bound`, all alike (values above the last multiple of `bound` are passed over)."""
        if not 0 < bound <= 1 << 32:
            raise ValueError(f"no number from 0 up to below {bound}")
        while True:
            value = int.from_bytes(self._take(5))
            if value < (1 << 40) // bound * bound:
                return value % bound

    def between(self, low: int, high: int) -> int:
        """A whole number from `low` to `high`, both included."""
        return low + self.below(high - low + 1)

    def pick(self, items: Sequence[T]) -> T:
        """One of `items`."""
        return items[self.below(len(items))]

    def sample(self, items: Sequence[T], count: int) -> list[T]:
        """`count` different places of `items`, in drawn order."""
        if count > len(items):
            raise ValueError(f"{count} of {len(items)} items")
        left = list(items)
        return [left.pop(self.below(len(left))) for _ in range(count)]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """All `items` in drawn order."""
        return self.sample(items, len(items))

    def chance(self, part: int, of: int) -> bool:
        """True in `part` of `of` cases."""
        return self.below(of) < part

    def hex(self, digits: int) -> str:
        """`digits` lower-case hex digits."""
        return self._take((digits + 1) // 2).hex()[:digits]

    def _take(self, count: int) -> bytes:
        while len(self._left) < count:
            self._left += raw(sha256(self._key + self._block.to_bytes(8)))
            self._block += 1
        taken, self._left = self._left[:count], self._left[count:]
        return taken
