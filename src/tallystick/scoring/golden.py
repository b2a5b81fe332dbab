"""The golden score: (0.5*task_success + 0.3*code_quality + 0.2*efficiency) * reliability * safety.

Formula and constants are those of the golden benchmark harness, exact, with these corrections. Success counts over tasks times
declared attempts. Reliability stays within [0, 1] and is halved when telemetry of an attempt is missing. A measurement that
some attempt lacks earns nothing, since absent is not zero. Code quality is the mean over all attempts as soon as one is judged:
an unjudged one then counts 0; with no judge it is 0, and the most that can be reached is 0.7. Safety is 0 when a regression of
this very run is known, else 1. One implementation serves bundles and the telemetry of others. Specification:
docs/eval/golden-harness.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from tallystick.core.exact import to_fraction, to_num
from tallystick.records.base import UNSET, UnsetType
from tallystick.records.bundle import Components, Observed

__all__ = [
    "NOTHING",
    "UNJUDGED_MOST",
    "Measured",
    "Parts",
    "Sample",
    "components",
    "efficiency",
    "measured",
    "overall",
    "parts",
    "quality_of",
    "reliability",
    "summed_cost",
    "summed_seconds",
]

WEIGHT_SUCCESS: Final = Fraction(1, 2)
WEIGHT_QUALITY: Final = Fraction(3, 10)
WEIGHT_EFFICIENCY: Final = Fraction(1, 5)
UNJUDGED_MOST: Final = WEIGHT_SUCCESS + WEIGHT_EFFICIENCY
"""The most that a run reaches that nothing judged."""
PAR_COST_USD: Final = Fraction(1, 2)
"""Cost per passed attempt that still earns everything."""
LEAST_COST_USD: Final = Fraction(1, 100)
PAR_SECONDS: Final = Fraction(120)
"""Time per passed attempt that still earns everything."""
LEAST_SECONDS: Final = Fraction(1, 10)
PER_CRASH: Final = Fraction(1, 10)
PER_ORPHAN: Final = Fraction(1, 20)
WITHOUT_TELEMETRY: Final = Fraction(1, 2)


@dataclass(frozen=True, slots=True)
class Measured:
    """What was measured of one attempt, exact; None where it was not. `complete`: no telemetry that is required is missing."""

    seconds: Fraction | None = None
    cost_usd: Fraction | None = None
    orphans: int = 0
    complete: bool = True

    def __post_init__(self) -> None:
        """Refuse what no clock, bill or process table shows."""
        if self.orphans < 0 or any(value is not None and value < 0 for value in (self.seconds, self.cost_usd)):
            raise ValueError(f"a negative measurement: {self}")


NOTHING: Final = Measured(complete=False)
"""What is known of an attempt without telemetry."""


def measured(observed: Observed | UnsetType) -> Measured:
    """What a bundle says was measured of an attempt; nothing where it cannot be true, which a verifier refuses by name."""
    if observed is UNSET or (observed.cost_usd is not UNSET and observed.cost_usd < 0):
        return NOTHING
    return Measured(
        seconds=Fraction(observed.wall_ms, 1000),
        cost_usd=None if observed.cost_usd is UNSET else to_fraction(observed.cost_usd),
        orphans=0 if observed.orphans is UNSET else observed.orphans,
    )


@dataclass(frozen=True, slots=True)
class Sample:
    """What the score is a function of.

    `crashes`: infrastructure errors and agents that a signal ended. `qualities`: one per attempt, None where nothing judged it;
    empty where nothing judged any. `regressions`: known ones of this run.
    """

    passed: int
    attempts: int
    crashes: int
    measured: Sequence[Measured]
    qualities: Sequence[Fraction | None] = ()
    regressions: int = 0

    def __post_init__(self) -> None:
        """Refuse counts that no run has."""
        if not 0 <= self.passed <= self.attempts or self.attempts == 0:
            raise ValueError(f"no run passes {self.passed} of {self.attempts}")
        if not 0 <= self.crashes <= self.attempts or self.regressions < 0:
            raise ValueError(f"no run of {self.attempts} has {self.crashes} crashes and {self.regressions} regressions")
        if len(self.measured) != self.attempts or len(self.qualities) not in {0, self.attempts}:
            raise ValueError(f"{len(self.measured)} measurements and {len(self.qualities)} judgements of {self.attempts}")
        if any(each is not None and not 0 <= each <= 1 for each in self.qualities):
            raise ValueError("a quality lies between 0 and 1")


@dataclass(frozen=True, slots=True)
class Parts:
    """The exact parts, each in [0, 1]; `judged` is a count."""

    task_success: Fraction
    code_quality: Fraction
    efficiency: Fraction
    reliability: Fraction
    safety: Fraction
    judged: int


def parts(sample: Sample) -> Parts:
    """The exact parts of the golden score of a run."""
    return Parts(
        task_success=Fraction(sample.passed, sample.attempts),
        code_quality=quality_of(sample.qualities),
        efficiency=efficiency(sample.passed, sample.measured),
        reliability=reliability(sample.crashes, sample.measured),
        safety=Fraction(0 if sample.regressions else 1),
        judged=sum(each is not None for each in sample.qualities),
    )


def overall(of: Parts) -> Fraction:
    """The golden score, exact."""
    base = WEIGHT_SUCCESS * of.task_success + WEIGHT_QUALITY * of.code_quality + WEIGHT_EFFICIENCY * of.efficiency
    return base * of.reliability * of.safety


def components(of: Parts) -> Components:
    """The parts as written in a bundle."""
    return Components(
        task_success=to_num(of.task_success),
        code_quality=to_num(of.code_quality),
        efficiency=to_num(of.efficiency),
        reliability=to_num(of.reliability),
        safety=to_num(of.safety),
        judged=of.judged,
    )


def quality_of(qualities: Sequence[Fraction | None]) -> Fraction:
    """The mean over all attempts, an unjudged one as 0; 0 where nothing judged any."""
    if not qualities:
        return Fraction(0)
    return sum((each for each in qualities if each is not None), Fraction(0)) / len(qualities)


def efficiency(passed: int, of: Sequence[Measured]) -> Fraction:
    """Half for cost and half for time, each par per passed attempt; 0 where nothing passed.

    Cost and time are summed over all attempts, those that did not pass included.
    """
    if passed == 0:
        return Fraction(0)
    cost, seconds = summed_cost(of), summed_seconds(of)
    earned = Fraction(0)
    if cost is not None:
        earned += min(PAR_COST_USD / max(cost / passed, LEAST_COST_USD), Fraction(1)) / 2
    if seconds is not None:
        earned += min(PAR_SECONDS / max(seconds / passed, LEAST_SECONDS), Fraction(1)) / 2
    return earned


def summed_cost(of: Iterable[Measured]) -> Fraction | None:
    """USD over all attempts, or None where one has no cost."""
    return _summed(each.cost_usd for each in of)


def summed_seconds(of: Iterable[Measured]) -> Fraction | None:
    """Seconds over all attempts, or None where the time of one was not taken."""
    return _summed(each.seconds for each in of)


def _summed(values: Iterable[Fraction | None]) -> Fraction | None:
    total = Fraction(0)
    for value in values:
        if value is None:
            return None
        total += value
    return total


def reliability(crashes: int, of: Sequence[Measured]) -> Fraction:
    """1 less 0.1 per crash and 0.05 per process left behind, within [0, 1]; halved where an attempt lacks telemetry."""
    gate = Fraction(1) - PER_CRASH * crashes - PER_ORPHAN * sum(each.orphans for each in of)
    complete = all(each.complete for each in of)
    return max(Fraction(0), min(gate, Fraction(1))) * (1 if complete else WITHOUT_TELEMETRY)
