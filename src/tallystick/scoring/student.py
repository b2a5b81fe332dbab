"""Quantiles of Student's distribution, for intervals whose variance is estimated from few tasks."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

__all__ = ["student_quantile"]

_Z: Final = Fraction("1.959963984540054")
"""The 97.5 % quantile of the standard normal distribution: 95 % two-sided."""
_STUDENT: Final = tuple(
    Fraction(text)
    for text in (
        "12.706205",
        "4.302653",
        "3.182446",
        "2.776445",
        "2.570582",
        "2.446912",
        "2.364624",
        "2.306004",
        "2.262157",
        "2.228139",
        "2.200985",
        "2.178813",
        "2.160369",
        "2.144787",
        "2.131450",
        "2.119905",
        "2.109816",
        "2.100922",
        "2.093024",
        "2.085963",
    )
)
"""The 97.5 % quantiles of Student's distribution for 1 to 20 degrees of freedom."""


def student_quantile(freedom: int) -> Fraction:
    """The 97.5 % quantile of Student's distribution, within 1e-5: tabled, then by its expansion.

    Abramowitz and Stegun, 26.7.5.
    """
    if freedom <= len(_STUDENT):
        return _STUDENT[freedom - 1]
    z, n = _Z, freedom
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + sum((term / n**power for power, term in enumerate(terms, start=1)), Fraction(0))
