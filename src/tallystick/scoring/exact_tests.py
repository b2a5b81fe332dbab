"""Exact two-sided tests of paired verdicts: how often chance alone gives a difference as large as the one seen.

`mcnemar` takes pairs of attempts: under the null hypothesis each discordant pair (one side passed, the other did not) falls to
either side like a coin. Exact binomial form: McNemar 1947 with Mosteller 1952; as in Agresti, "Categorical Data Analysis", 3rd
ed. 2013, section 11.1. Two-sided by doubling the smaller tail.

`sign_flip` takes tasks: under the null hypothesis the difference that each task shows could as well have come out with the
other sign. So attempts at one task need not be independent of each other, which McNemar's test takes for granted. Fisher's
randomisation test for matched pairs ("The Design of Experiments", 1935, section 21). With one attempt at each task both are
the same test.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from typing import Final, NamedTuple

__all__ = ["Probability", "mcnemar", "normal_tail", "sign_flip"]

WORK: Final = 2 * 10**10
"""Bits that counting may touch, a second of work; beyond it there are so many tasks that the normal distribution is near."""
_CONTEXT: Final = Context(prec=60, rounding=ROUND_HALF_EVEN)
_ROOT_OF_TWO_PI: Final = Decimal("2.50662827463100050241576528481104525300698674061")
_FAR: Final = 7
"""Beyond so many standard deviations lies 1e-12 of a normal distribution: nothing that is written down."""


class Probability(NamedTuple):
    """A p-value, and whether it was counted or is the normal approximation."""

    value: Fraction
    exact: bool


def mcnemar(only_a: int, only_b: int) -> Probability:
    """The two-sided p-value of `only_a` and `only_b` discordant pairs.

    Raises:
        ValueError: a negative count.
    """
    if only_a < 0 or only_b < 0:
        raise ValueError(f"no counts: {only_a} and {only_b}")
    n, fewer = only_a + only_b, min(only_a, only_b)
    if 2 * fewer == n:
        return Probability(Fraction(1), exact=True)
    if n * fewer > WORK:
        return Probability(2 * normal_tail(Fraction((only_a - only_b) ** 2, n)), exact=False)
    tail = term = 1
    for i in range(fewer):
        term = term * (n - i) // (i + 1)
        tail += term
    return Probability(min(Fraction(1), Fraction(2 * tail, 2**n)), exact=True)


def sign_flip(differences: Sequence[int]) -> Probability:
    """The two-sided p-value of a difference for each task, in attempts; their order does not matter."""
    sizes = sorted(abs(each) for each in differences if each)
    total, seen = sum(sizes), abs(sum(differences))
    if seen == 0:
        return Probability(Fraction(1), exact=True)
    if len(set(sizes)) == 1:
        up = (total + seen) // (2 * sizes[0])
        return mcnemar(len(sizes) - up, up)
    most = (total - seen) // 2
    if (most + 1) * (len(sizes) + 1) * len(sizes) > WORK:
        return Probability(2 * normal_tail(Fraction(seen**2, sum(size**2 for size in sizes))), exact=False)
    return Probability(min(Fraction(1), Fraction(2 * _subsets(sizes, most), 2 ** len(sizes))), exact=True)


def _subsets(sizes: Sequence[int], most: int) -> int:
    """How many subsets of `sizes` have a sum of `most` or less.

    The counts by sum are the coefficients of prod (1 + x^size), held side by side in one integer, each in as many bytes as the
    largest can need.
    """
    octets = len(sizes) // 8 + 1
    mask = (1 << (8 * octets * (most + 1))) - 1
    counts = 1
    for size in sizes:
        counts = (counts + (counts << (8 * octets * size))) & mask
    data = counts.to_bytes(octets * (most + 1), "little")
    return sum(int.from_bytes(data[at : at + octets], "little") for at in range(0, len(data), octets))


def normal_tail(squared: Fraction) -> Fraction:
    """The probability that a standard normal variable is at least the root of `squared`: half of what lies farther out.

    By the Taylor series of the distribution function (Abramowitz and Stegun 26.2.10), to 12 decimal places.
    """
    if squared >= _FAR**2:
        return Fraction(0)
    square = _CONTEXT.divide(Decimal(squared.numerator), Decimal(squared.denominator))
    power = _CONTEXT.sqrt(square)
    total, i = Decimal(0), 0
    while power > Decimal("1e-40") or i < _FAR**2:
        term = _CONTEXT.divide(power, Decimal(2 * i + 1))
        total = _CONTEXT.add(total, term) if i % 2 == 0 else _CONTEXT.subtract(total, term)
        i += 1
        power = _CONTEXT.divide(_CONTEXT.multiply(power, square), Decimal(2 * i))
    below = _CONTEXT.divide(total, _ROOT_OF_TWO_PI)
    return Fraction(_CONTEXT.subtract(Decimal("0.5"), below).quantize(Decimal("1e-12"), context=_CONTEXT))
