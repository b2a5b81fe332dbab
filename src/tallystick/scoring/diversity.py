"""Replication against diversity: the same number of attempts spent on one structure again and again, or over several.

Of n attempts of a structure at a task, c passed. Of k picked from them without looking, none passes with the probability
C(n-c, k) / C(n, k); picks from several structures are independent, so their probabilities multiply. What a strategy is worth at
a task is the probability that at least one of its attempts passes, as pass@k of `scoring.passk`, which it is where there is one
structure. Tasks weigh the same; the interval is that of `scoring.clustered`. Everything is exact until it is written down.

The difference of two strategies is tested over tasks, as in `scoring.paired`: sign-flip test and bootstrap, on the differences
of the rates brought to a common denominator. Nobody's order follows from a difference that was not shown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb, gcd, lcm
from typing import Final, Literal

from tallystick.records.reliability import ClusteredInterval
from tallystick.scoring.bootstrap import bootstrap, resamples
from tallystick.scoring.clustered import clustered_interval
from tallystick.scoring.exact_tests import Probability, normal_tail, sign_flip
from tallystick.scoring.paired import ALPHA
from tallystick.scoring.passk import TaskCount

__all__ = ["Difference", "Strategy", "any_passes", "averaged", "diversity", "equal_budget", "replication", "subtract"]

_COUNTED: Final = 1_000_000
"""The sum of sizes up to which the sign-flip test counts: a megabyte for eight tasks."""
_TASKS: Final = 16
"""Tasks up to which all signs are gone through: 65,536 sums."""
Counts = Mapping[str, Sequence[TaskCount]]
"""Attempts and passes at each task by structural signature, in one order of tasks."""


@dataclass(frozen=True, slots=True)
class Strategy:
    """A way to spend `budget` attempts at each task: how many of each signature, and the chance that one passes, by task."""

    kind: Literal["replication", "diversity"]
    picks: tuple[tuple[str, int], ...]
    rates: tuple[Fraction, ...]

    @property
    def budget(self) -> int:
        """Attempts at each task."""
        return sum(count for _, count in self.picks)

    @property
    def mean(self) -> Fraction:
        """The mean over tasks."""
        return sum(self.rates, Fraction(0)) / len(self.rates)

    @property
    def interval(self) -> ClusteredInterval:
        """The 95 % interval of the mean, for tasks like these."""
        return clustered_interval(self.rates)


@dataclass(frozen=True, slots=True)
class Difference:
    """One strategy minus another. `low` and `high` are the 95 % interval of the mean; of one task they say nothing."""

    mean: Fraction
    low: Fraction
    high: Fraction
    p: Probability
    resamples: int

    @property
    def shown(self) -> bool:
        """Whether it is more than noise: the test is below 5 % and the interval leaves out zero."""
        return self.p.value < ALPHA and not self.low <= 0 <= self.high


def any_passes(picks: Sequence[tuple[TaskCount, int]]) -> Fraction:
    """The probability that at least one attempt passes, where `k` are picked from each count.

    Raises:
        ValueError: more are picked than there are.
    """
    none = Fraction(1)
    for (n, c), k in picks:
        if not 0 <= k <= n or not 0 <= c <= n:
            raise ValueError(f"no rate: {k} picked of {n} attempts, of which {c} passed")
        none *= Fraction(comb(n - c, k), comb(n, k))
    return 1 - none


def equal_budget(counts: Counts) -> int | None:
    """The largest number of attempts that both strategies can spend at every task; None where there is none.

    Diversity spends it evenly over all signatures, replication on a single one that has as many attempts everywhere.
    """
    least = [min(count.attempts for count in own) for own in counts.values() if own]
    if len(least) < 2 or len(least) < len(counts):  # noqa: PLR2004 - one signature cannot be compared with several
        return None
    each = min(*least, max(least) // len(least))
    return each * len(least) or None


def replication(signature: str, counts: Sequence[TaskCount], budget: int) -> Strategy:
    """`budget` attempts of one signature. Raises as `any_passes`."""
    rates = tuple(any_passes([(count, budget)]) for count in counts)
    return Strategy("replication", ((signature, budget),), rates)


def diversity(counts: Counts, budget: int) -> Strategy:
    """`budget` attempts, as many of each signature.

    Raises:
        ValueError: as `any_passes`, or a budget that cannot be divided evenly.
    """
    each, rest = divmod(budget, len(counts))
    if rest:
        raise ValueError(f"{budget} attempts cannot be divided evenly over {len(counts)} signatures")
    rates = tuple(any_passes([(count, each) for count in at_task]) for at_task in zip(*counts.values(), strict=True))
    return Strategy("diversity", tuple((name, each) for name in counts), rates)


def averaged(strategies: Sequence[Strategy]) -> tuple[Fraction, ...]:
    """By task, the mean rate of several strategies: what one is worth that was picked among them without looking."""
    return tuple(sum(rates, Fraction(0)) / len(strategies) for rates in zip(*(each.rates for each in strategies), strict=True))


def subtract(one: Sequence[Fraction], other: Sequence[Fraction]) -> Difference:
    """The rates of `one` minus those of `other`, by task (at least one)."""
    differences = [a - b for a, b in zip(one, other, strict=True)]
    tasks, scale = len(differences), lcm(*(each.denominator for each in differences))
    whole = [int(each * scale) for each in differences]
    low, high = bootstrap(whole) if tasks > 1 else (-scale, scale)
    return Difference(
        mean=Fraction(sum(whole), scale * tasks),
        low=Fraction(low, scale * tasks),
        high=Fraction(high, scale * tasks),
        p=_chance(whole),
        resamples=resamples(tasks) if tasks > 1 else 0,
    )


def _chance(values: Sequence[int]) -> Probability:
    """As `sign_flip`, for values of a small common unit: counting takes memory by their sum, so few are gone through."""
    unit = gcd(*values) or 1
    sizes = [abs(value) // unit for value in values if value]
    if sum(sizes) <= _COUNTED:
        return sign_flip([value // unit for value in values])
    seen = abs(sum(values)) // unit
    if len(sizes) > _TASKS:
        return Probability(2 * normal_tail(Fraction(seen**2, sum(size**2 for size in sizes))), exact=False)
    sums = [0]
    for size in sizes:
        sums = [total + sign for total in sums for sign in (size, -size)]
    return Probability(Fraction(sum(abs(total) >= seen for total in sums), len(sums)), exact=True)
