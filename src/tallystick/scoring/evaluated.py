"""The golden score of attempts from anywhere: bundles, saved runs and telemetry become one form and meet one formula.

The denominator is every task of every suite (or tier) that is scored, times the attempts that were declared or told of: a task
that nobody attempted counts as not passed and without telemetry, and is named.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from tallystick.records.eval_run import FailureCategory
from tallystick.records.task import TIERS, Tier
from tallystick.scoring import golden
from tallystick.scoring.golden import Measured, Parts
from tallystick.scoring.taxonomy import Failure

__all__ = ["Evaluation", "Rated", "TierCount", "evaluate", "unattempted"]


@dataclass(frozen=True, slots=True)
class Rated:
    """One attempt at one task as the score takes it.

    `source` counts the sources. `missing` names telemetry that is required and not there; `crashed` is an infrastructure error
    or an agent that a signal ended; `failure` is None exactly where it passed.
    """

    task_id: str
    tier: Tier
    attempt: int
    passed: bool
    measured: Measured
    source: int = 0
    missing: tuple[str, ...] = ()
    crashed: bool = False
    quality: Fraction | None = None
    failure: Failure | None = None

    def __post_init__(self) -> None:
        """An attempt failed for a reason, or it passed."""
        if self.passed != (self.failure is None):
            raise ValueError(f"{self.task_id}: passed is {self.passed}, the failure {self.failure}")


@dataclass(frozen=True, slots=True)
class TierCount:
    """What a tier came to; no tier without attempts has one."""

    tier: Tier
    tasks: int
    attempts: int
    passed: int

    @property
    def rate(self) -> Fraction:
        """Passed attempts over all."""
        return Fraction(self.passed, self.attempts)


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Every number of an evaluation, exact."""

    parts: Parts
    score: Fraction
    tasks: int
    attempts: int
    passed: int
    crashes: int
    regressions: int
    seconds: Fraction | None
    cost_usd: Fraction | None
    tiers: tuple[TierCount, ...]


def unattempted(task_id: str, tier: Tier, attempt: int, source: int, why: str) -> Rated:
    """An attempt that should be there and is not."""
    return Rated(
        task_id=task_id,
        tier=tier,
        attempt=attempt,
        passed=False,
        measured=golden.NOTHING,
        source=source,
        missing=("all",),
        failure=Failure(FailureCategory.incomplete, why),
    )


def evaluate(rated: Sequence[Rated]) -> Evaluation:
    """The golden score and its parts over `rated` (at least one attempt), which is all that counts: nothing is remembered."""
    passed = sum(each.passed for each in rated)
    sample = golden.Sample(
        passed=passed,
        attempts=len(rated),
        crashes=sum(each.crashed for each in rated),
        measured=tuple(each.measured for each in rated),
        qualities=tuple(each.quality for each in rated),
        regressions=sum(_is_regression(each) for each in rated),
    )
    parts = golden.parts(sample)
    return Evaluation(
        parts=parts,
        score=golden.overall(parts),
        tasks=len({each.task_id for each in rated}),
        attempts=len(rated),
        passed=passed,
        crashes=sample.crashes,
        regressions=sample.regressions,
        seconds=golden.summed_seconds(sample.measured),
        cost_usd=golden.summed_cost(sample.measured),
        tiers=tuple(_counts(rated)),
    )


def _is_regression(each: Rated) -> bool:
    return each.failure is not None and each.failure.category is FailureCategory.test_regression


def _counts(rated: Sequence[Rated]) -> Iterable[TierCount]:
    for tier in TIERS:
        inside = [each for each in rated if each.tier == tier]
        if inside:
            tasks = len({each.task_id for each in inside})
            yield TierCount(tier, tasks, len(inside), sum(each.passed for each in inside))
