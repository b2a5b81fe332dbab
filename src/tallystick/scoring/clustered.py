"""A 95 % interval of a mean over tasks, where attempts at one task resemble each other.

Tasks are the clusters: a suite is a sample of tasks, and the interval speaks of tasks like these, not of more attempts at the
same ones (Miller, "Adding Error Bars to Evals", 2024, section 2.2). With T tasks of rates r, mean p and SS = sum (r - p)^2, the
sample is worth

    n = max(T, p(1-p) * T(T-1) / SS)

independent attempts: p(1-p)/n is the usual cluster-robust variance of the mean, and attempts at a task can at worst be one
attempt, so the sample is never worth less than T. The interval is Wilson's at p and n, with Student's quantile for T - 1
degrees of freedom, since the variance is estimated (as Korn and Graubard, "Confidence Intervals for Proportions with Small
Expected Number of Positive Counts", 1998). Where every rate is 0 or 1 no variance beside p(1-p) is estimated, and it is
Wilson's interval of T attempts.

Chosen by simulation: docs/eval/reliability.md has its coverage. Exact up to the square root, which has 50 digits.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from tallystick.core.exact import to_num
from tallystick.records.reliability import ClusteredInterval
from tallystick.scoring.interval import NORMAL_QUANTILE, Ends, wilson_ends

__all__ = ["clustered_interval", "student_quantile"]

_STUDENT: Final = tuple(
    Fraction(millionths, 10**6)
    for millionths in (
        12_706_205,
        4_302_653,
        3_182_446,
        2_776_445,
        2_570_582,
        2_446_912,
        2_364_624,
        2_306_004,
        2_262_157,
        2_228_139,
        2_200_985,
        2_178_813,
        2_160_369,
        2_144_787,
        2_131_450,
        2_119_905,
        2_109_816,
        2_100_922,
        2_093_024,
        2_085_963,
    )
)
"""The 97.5 % quantiles of Student's distribution for 1 to 20 degrees of freedom."""


def student_quantile(freedom: int) -> Fraction:
    """The 97.5 % quantile of Student's distribution, within 1e-5: tabled, then by its expansion.

    Abramowitz and Stegun, 26.7.5.
    """
    if freedom <= len(_STUDENT):
        return _STUDENT[freedom - 1]
    z, n = NORMAL_QUANTILE, freedom
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + sum((term / n**power for power, term in enumerate(terms, start=1)), Fraction(0))


def clustered_interval(rates: Sequence[Fraction]) -> ClusteredInterval:
    """The 95 % interval of the mean of `rates`, one per task, each in [0, 1] (at least one). Their order does not matter.

    Of a single task it is all of [0, 1]: that says nothing about others.

    Raises:
        ValueError: no rate, or one outside [0, 1].
    """
    seen = Counter(rates)
    if not seen or not all(0 <= rate <= 1 for rate in seen):
        raise ValueError("rates lie between 0 and 1, and there is at least one")
    tasks = len(rates)
    if tasks == 1:
        return _interval(Ends(Fraction(0), Fraction(1)))
    mean = sum((times * rate for rate, times in seen.items()), Fraction(0)) / tasks
    spread = sum((times * rate * rate for rate, times in seen.items()), Fraction(0)) - tasks * mean * mean
    variance = mean * (1 - mean)
    certain = spread == tasks * variance  # each rate is 0 or 1
    worth = Fraction(tasks) if spread == 0 else max(Fraction(tasks), variance * tasks * (tasks - 1) / spread)
    return _interval(wilson_ends(mean, worth, NORMAL_QUANTILE if certain else student_quantile(tasks - 1)))


def _interval(ends: Ends) -> ClusteredInterval:
    return ClusteredInterval(method="wilson_clustered", low=to_num(ends.low), high=to_num(ends.high))
