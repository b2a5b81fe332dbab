"""The bootstrap interval of a mean over tasks: whole tasks are drawn again, with all their attempts (the cluster bootstrap).

Resamples come from a fixed seed. The draws are the big-endian 32-bit words of SHA-256(seed ":" counter), those that would
favour a task left out, modulo the number of tasks. Nothing here is of the `random` module, whose methods may draw otherwise in
another release of Python, and nothing is a float, so the interval is the same on every machine. It does not depend on the order
of the tasks, and is mirrored when the two sides change places.

Of few tasks a plain percentile interval is too narrow, by the factor sqrt((n-1)/n) and for want of Student's distribution. The
quantiles are taken at Phi(-sqrt(n/(n-1)) * t(0.975, n-1)) instead of 2.5 %: the expanded percentile interval of Hesterberg,
"What Teachers Should Know About the Bootstrap", The American Statistician 69, 2015.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import count
from typing import Final, NamedTuple

from tallystick.core.digest import raw, sha256
from tallystick.scoring.clustered import student_quantile
from tallystick.scoring.exact_tests import normal_tail

__all__ = ["SEED", "Spread", "bootstrap", "resamples"]

SEED: Final = "tallystick/paired-bootstrap/v1"
_MOST: Final = 10_000
_LEAST: Final = 1_000
_DRAWS: Final = 500_000
"""Draws of one interval, a tenth of a second: beyond 50 tasks there are fewer resamples, beyond 500 `_LEAST` of them."""
_WORDS: Final = 8
"""32-bit words of a SHA-256 digest."""
_BLOCK: Final = 512


class Spread(NamedTuple):
    """The ends of an interval of a sum over tasks."""

    low: int
    high: int


def resamples(tasks: int) -> int:
    """How often so many tasks are drawn again."""
    return max(_LEAST, min(_MOST, _DRAWS // tasks))


def bootstrap(values: Sequence[int]) -> Spread:
    """The 95 % interval of the sum of `values`, one for each task (at least two)."""
    tasks = len(values)
    ordered = sorted(values)
    mirrored = [-value for value in reversed(ordered)]
    turned = mirrored < ordered
    sums = sorted(_sums(mirrored if turned else ordered, resamples(tasks)))
    outside = int(len(sums) * _level(tasks))
    low, high = sums[outside], sums[-1 - outside]
    if mirrored == ordered:  # then the interval is its own mirror image, whatever was drawn
        low, high = min(low, -high), max(high, -low)
    return Spread(-high, -low) if turned else Spread(low, high)


def _level(tasks: int) -> Fraction:
    """The share of resamples beyond each end."""
    quantile = student_quantile(tasks - 1)
    return normal_tail(quantile * quantile * Fraction(tasks, tasks - 1))


def _sums(values: Sequence[int], times: int) -> Iterator[int]:
    """`times` sums, each of as many values as there are, drawn with replacement."""
    tasks = len(values)
    drawn: list[int] = []
    blocks = _drawn(values)
    for _ in range(times):
        while len(drawn) < tasks:
            drawn += next(blocks)
        yield sum(drawn[:tasks])
        del drawn[:tasks]


def _drawn(values: Sequence[int]) -> Iterator[list[int]]:
    """Values drawn one after the other, in blocks."""
    tasks = len(values)
    fair = 2**32 - 2**32 % tasks
    for block in count():
        yield [values[word % tasks] for word in _words(block) if word < fair]


def _words(block: int) -> tuple[int, ...]:
    """A block of the stream."""
    numbers = range(block * _BLOCK, (block + 1) * _BLOCK)
    data = b"".join(raw(sha256(f"{SEED}:{number}".encode())) for number in numbers)
    return struct.unpack(f">{_BLOCK * _WORDS}I", data)
