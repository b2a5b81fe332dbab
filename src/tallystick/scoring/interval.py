"""The Wilson score interval of a pass rate: statistics about the headline, not part of it.

Wilson 1927; as in Brown, Cai, DasGupta, "Interval Estimation for a Binomial Proportion", 2001, eq. 4. Exact up to the square
root, which has 50 digits, so every platform rounds to the same six.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Final, NamedTuple

from tallystick.core.exact import square_root, to_num
from tallystick.records.bundle import Interval

__all__ = ["NORMAL_QUANTILE", "Ends", "wilson", "wilson_ends"]

NORMAL_QUANTILE: Final = Fraction("1.959963984540054")
"""The 97.5 % quantile of the standard normal distribution: 95 % two-sided."""


class Ends(NamedTuple):
    """The ends of an interval of a rate, unrounded."""

    low: Fraction
    high: Fraction


def wilson(passed: int, n: int) -> Interval:
    """The 95 % interval of `passed` out of `n` (n > 0); both ends in [0, 1].

    Raises:
        ValueError: a count that no sample has.
    """
    if not 0 <= passed <= n or n == 0:
        raise ValueError(f"no rate: {passed} of {n}")
    ends = wilson_ends(Fraction(passed, n), Fraction(n), NORMAL_QUANTILE)
    return Interval(method="wilson", low=to_num(ends.low), high=to_num(ends.high))


def wilson_ends(rate: Fraction, n: Fraction, quantile: Fraction) -> Ends:
    """Wilson's interval of a rate in [0, 1] from a sample worth `n` attempts (n > 0, which need be no integer)."""
    squared = quantile * quantile
    scale = 1 + squared / n
    centre = (rate + squared / (2 * n)) / scale
    half = square_root(squared * (rate * (1 - rate) / n + squared / (4 * n * n)) / (scale * scale))
    # At the edges the exact ends are 0 and 1; rounding in the fiftieth digit may step over them.
    return Ends(Fraction(0) if rate == 0 else centre - half, Fraction(1) if rate == 1 else centre + half)
