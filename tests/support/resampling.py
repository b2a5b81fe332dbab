"""The interval of a bootstrap whose resamples are all counted instead of drawn: what drawing comes to."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from math import erfc, sqrt

from tallystick.scoring.clustered import student_quantile

__all__ = ["counted_interval"]


def counted_interval(values: Sequence[int]) -> tuple[int, int]:
    """The expanded percentile interval of the sum of `values`, over all n^n resamples.

    Their counts by sum are the coefficients of the n-th power of the sum of x^value, held side by side in one integer.
    """
    return _counted(tuple(sorted(values)))


@cache
def _counted(values: tuple[int, ...]) -> tuple[int, int]:
    """The same of sorted values: many suites have the same ones."""
    tasks, least = len(values), min(values)
    octets = tasks * tasks.bit_length() // 8 + 1
    power = sum(1 << (8 * octets * (value - least)) for value in values) ** tasks
    data = power.to_bytes(octets * (tasks * (max(values) - least) + 1), "little")
    counts = [int.from_bytes(data[at : at + octets], "little") for at in range(0, len(data), octets)]
    level = erfc(float(student_quantile(tasks - 1)) * sqrt(tasks / (tasks - 1)) / sqrt(2)) / 2
    outside = int(level * tasks**tasks)
    low, high = _beyond(counts, outside), _beyond(reversed(counts), outside)
    return tasks * least + low, tasks * least + len(counts) - 1 - high


def _beyond(counts: Iterable[int], outside: int) -> int:
    """The first place with more than `outside` resamples up to it."""
    seen = 0
    for place, count in enumerate(counts):
        seen += count
        if seen > outside:
            return place
    raise AssertionError
