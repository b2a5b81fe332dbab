"""The golden score: (0.5*task_success + 0.3*code_quality + 0.2*efficiency) * reliability * safety.

Formula and constants are those of the golden benchmark harness, exact, with these corrections. Success counts over tasks times
declared attempts. Reliability stays within [0, 1] and is halved when an attempt has no telemetry. A measurement that some
attempt lacks earns nothing, since absent is not zero. Unjudged attempts count 0 in code quality; `judged` counts the others.
No judge exists yet, so `code_quality` and `judged` are 0 and the most that can be reached is 0.7. Safety is 1 unless a
regression of this very run is known; nothing here detects one yet, so it is 1.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from tallystick.core.exact import to_fraction, to_num
from tallystick.records.base import UNSET, UnsetType
from tallystick.records.bundle import Components, Observed

__all__ = ["Parts", "Sample", "components", "efficiency", "overall", "parts", "reliability", "summed_cost"]

WEIGHT_SUCCESS: Final = Fraction(1, 2)
WEIGHT_QUALITY: Final = Fraction(3, 10)
WEIGHT_EFFICIENCY: Final = Fraction(1, 5)
PAR_COST_USD: Final = Fraction(1, 2)
"""Cost per passed attempt that still earns everything."""
LEAST_COST_USD: Final = Fraction(1, 100)
PAR_SECONDS: Final = Fraction(120)
"""Time per passed attempt that still earns everything."""
LEAST_SECONDS: Final = Fraction(1, 10)
PER_CRASH: Final = Fraction(1, 10)
PER_ORPHAN: Final = Fraction(1, 20)
WITHOUT_TELEMETRY: Final = Fraction(1, 2)

Telemetry = tuple[Observed | UnsetType, ...]


@dataclass(frozen=True, slots=True)
class Sample:
    """What the score is a function of. `crashes`: infrastructure errors and agents that a signal ended."""

    passed: int
    attempts: int
    crashes: int
    observed: Telemetry


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
        code_quality=Fraction(0),
        efficiency=efficiency(sample.passed, sample.observed),
        reliability=reliability(sample.crashes, sample.observed),
        safety=Fraction(1),
        judged=0,
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


def efficiency(passed: int, observed: Telemetry) -> Fraction:
    """Half for cost and half for time, each par per passed attempt; 0 where nothing passed.

    Cost and time are summed over all attempts, those that did not pass included.
    """
    if passed == 0:
        return Fraction(0)
    cost, seconds = summed_cost(observed), summed_seconds(observed)
    earned = Fraction(0)
    if cost is not None:
        earned += min(PAR_COST_USD / max(cost / passed, LEAST_COST_USD), Fraction(1)) / 2
    if seconds is not None:
        earned += min(PAR_SECONDS / max(seconds / passed, LEAST_SECONDS), Fraction(1)) / 2
    return earned


def summed_cost(observed: Iterable[Observed | UnsetType]) -> Fraction | None:
    """USD over all attempts, or None where one has no cost."""
    total = Fraction(0)
    for one in observed:
        if one is UNSET or one.cost_usd is UNSET:
            return None
        total += to_fraction(one.cost_usd)
    return total


def summed_seconds(observed: Iterable[Observed | UnsetType]) -> Fraction | None:
    """Seconds over all attempts, or None where one has no telemetry."""
    total = 0
    for one in observed:
        if one is UNSET:
            return None
        total += one.wall_ms
    return Fraction(total, 1000)


def reliability(crashes: int, observed: Telemetry) -> Fraction:
    """1 less 0.1 per crash and 0.05 per process left behind, within [0, 1]; halved where an attempt has no telemetry."""
    orphans = sum(one.orphans for one in observed if one is not UNSET and one.orphans is not UNSET)
    gate = Fraction(1) - PER_CRASH * crashes - PER_ORPHAN * orphans
    complete = all(one is not UNSET for one in observed)
    return max(Fraction(0), min(gate, Fraction(1))) * (1 if complete else WITHOUT_TELEMETRY)
