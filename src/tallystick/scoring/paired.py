"""Two runs of the same tasks compared: by how much they differ, how sure that is, and what so small a sample could show at all.

Verdicts are paired by task and attempt. The difference is rate of B minus rate of A. It counts as shown only where the exact
test over tasks is below 5 % and the bootstrap interval over tasks leaves out zero; everything else is noise, and no rank
follows from it.

The smallest difference that the sample could show, with a power of 80 % at 5 % two-sided, is the larger of

* `(z(0.975) + z(0.8)) * s / (k sqrt(n))`, where s is the standard deviation of the n tasks' differences in attempts and k the
  attempts at each (Bloom, "Minimum Detectable Effects", Evaluation Review 19, 1995; for evaluations of models Miller, "Adding
  Error Bars to Evals", 2024, section 5);
* the least difference d at which at least six of the n k pairs are discordant with a probability of 80 %, Binomial(n k, d),
  where all fall to one side: with five, 2/2^5 > 5 %, an exact test shows nothing. It is what counts where no noise was seen.

With fewer than six tasks no difference can be shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from math import comb
from typing import Final, Literal, NamedTuple

from tallystick.core.exact import square_root
from tallystick.scoring.bootstrap import bootstrap, resamples
from tallystick.scoring.exact_tests import Probability, mcnemar, sign_flip

__all__ = ["ALPHA", "FEWEST_TASKS", "POWER", "Paired", "Standing", "TaskPair", "compare_paired", "least_difference"]

ALPHA: Final = Fraction(5, 100)
POWER: Final = Fraction(80, 100)
FEWEST_TASKS: Final = 6
"""Discordant pairs, all to one side, of which an exact test is below `ALPHA`: 2/2^6 is, 2/2^5 is not."""
_Z: Final = Fraction("2.801585218")
"""z(0.975) + z(0.8) of the standard normal distribution: 1.959963985 + 0.841621234."""
_CONTEXT: Final = Context(prec=50, rounding=ROUND_HALF_EVEN)
_STEPS: Final = 30
"""Halvings of an interval of length 1: to nine decimal places."""

Standing = Literal["A passes more", "B passes more", "no difference shown"]


class TaskPair(NamedTuple):
    """The verdicts of both sides at one task, attempt by attempt; as many on either side."""

    a: tuple[bool, ...]
    b: tuple[bool, ...]

    @property
    def difference(self) -> int:
        """Attempts that passed on side B minus those on side A."""
        return sum(self.b) - sum(self.a)


@dataclass(frozen=True, slots=True)
class Paired:
    """A comparison. Rates and differences are exact; `low` and `high` are the 95 % interval of `difference` (B minus A).

    `p` is of the test over tasks and decides; `p_pairs` is of McNemar's over pairs of attempts. `least` is the smallest
    difference that the sample could show, None where it could show none.
    """

    tasks: int
    attempts: int
    rate_a: Fraction
    rate_b: Fraction
    only_a: int
    only_b: int
    p: Probability
    p_pairs: Probability
    low: Fraction
    high: Fraction
    resamples: int
    least: Fraction | None

    @property
    def difference(self) -> Fraction:
        """Rate of B minus rate of A."""
        return self.rate_b - self.rate_a

    @property
    def standing(self) -> Standing:
        """Which side passes more, as far as that was shown."""
        if self.p.value >= ALPHA or self.low <= 0 <= self.high:
            return "no difference shown"
        return "B passes more" if self.difference > 0 else "A passes more"


def compare_paired(pairs: Sequence[TaskPair]) -> Paired:
    """Compare the verdicts of two sides; the order of `pairs` (one per task, at least one) does not matter.

    Raises:
        ValueError: no task, or tasks that do not all have the same number of attempts, at least one, on both sides.
    """
    attempts = _attempts(pairs)
    tasks, differences = len(pairs), [pair.difference for pair in pairs]
    verdicts = [both for pair in pairs for both in zip(pair.a, pair.b, strict=True)]
    only_a, only_b = verdicts.count((True, False)), verdicts.count((False, True))
    low, high = bootstrap(differences) if tasks > 1 else (-attempts, attempts)
    scale = tasks * attempts
    return Paired(
        tasks=tasks,
        attempts=attempts,
        rate_a=Fraction(sum(a for a, _ in verdicts), scale),
        rate_b=Fraction(sum(b for _, b in verdicts), scale),
        only_a=only_a,
        only_b=only_b,
        p=sign_flip(differences),
        p_pairs=mcnemar(only_a, only_b),
        low=Fraction(low, scale),
        high=Fraction(high, scale),
        resamples=resamples(tasks) if tasks > 1 else 0,
        least=least_difference(differences, attempts),
    )


def _attempts(pairs: Sequence[TaskPair]) -> int:
    """The attempts at every task, one number for all."""
    counts = {len(side) for pair in pairs for side in pair}
    if len(counts) != 1 or 0 in counts:
        raise ValueError(f"no pairs: attempts at a task are {sorted(counts)}")
    return counts.pop()


def least_difference(differences: Sequence[int], attempts: int) -> Fraction | None:
    """The smallest difference of rates that tasks like these could show (see the head of this file), or None."""
    tasks = len(differences)
    if tasks < FEWEST_TASKS:
        return None
    mean = Fraction(sum(differences), tasks)
    variance = sum(((each - mean) ** 2 for each in differences), Fraction(0)) / (tasks - 1)
    error = square_root(variance / (tasks * attempts**2))
    least = max(_Z * error, _noiseless(tasks * attempts))
    return least if least <= 1 else None


def _noiseless(pairs: int) -> Fraction:
    """The least d with P(Binomial(pairs, d) >= FEWEST_TASKS) >= POWER, from above."""
    low, high = Decimal(0), Decimal(1)
    for _ in range(_STEPS):
        middle = _CONTEXT.divide(_CONTEXT.add(low, high), Decimal(2))
        if _at_least_six(pairs, middle):
            high = middle
        else:
            low = middle
    return Fraction(high)


def _at_least_six(pairs: int, share: Decimal) -> bool:
    other = _CONTEXT.subtract(Decimal(1), share)
    fewer = Decimal(0)
    for i in range(FEWEST_TASKS):
        term = _CONTEXT.multiply(_CONTEXT.power(share, i), _CONTEXT.power(other, pairs - i))
        fewer = _CONTEXT.add(fewer, _CONTEXT.multiply(Decimal(comb(pairs, i)), term))
    return Fraction(fewer) <= 1 - POWER
