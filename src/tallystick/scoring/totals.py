"""Counts and rates over tasks times attempts. The denominator is fixed by the format: every declared attempt counts.

An attempt that ended by an infrastructure error, was refused or interrupted counts as not passed, in every number here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from tallystick.core.errors import TallyError
from tallystick.core.exact import Num, to_num
from tallystick.records.base import UNSET, UnsetType
from tallystick.records.bundle import Components, Interval, Observed, Totals
from tallystick.scoring import golden
from tallystick.scoring.interval import wilson
from tallystick.scoring.verdict import Verdict

__all__ = ["Scored", "Summary", "TelemetryError", "pass_rate", "summarise", "telemetry_problem", "totals"]


class TelemetryError(TallyError):
    """Declared measurements from which no total can be made."""


@dataclass(frozen=True, slots=True)
class Scored:
    """A verdict, what was measured beside it, and what its judgement is worth (None: unjudged)."""

    verdict: Verdict
    observed: Observed | UnsetType
    quality: Fraction | None = None


@dataclass(frozen=True, slots=True)
class Summary:
    """Every number of a bundle's head."""

    totals: Totals
    pass_rate: Num
    overall_score: Num
    interval: Interval
    components: Components


def telemetry_problem(observed: Observed | UnsetType) -> str | None:
    """Why measurements cannot be true, or None."""
    if observed is not UNSET and observed.cost_usd is not UNSET and observed.cost_usd < 0:
        return f"a cost of {observed.cost_usd} USD"
    return None


def totals(tasks: int, scored: Sequence[Scored]) -> Totals:
    """Counts over `scored`, one entry per task and declared attempt.

    `wall_ms` sums what was measured; `cost_usd` stands only where every attempt has a cost, since absent is not zero.

    Raises:
        TelemetryError: the costs add up to more than a document can hold.
    """
    outcomes = [one.verdict.output.outcome for one in scored]
    return Totals(
        tasks=tasks,
        attempts=len(scored),
        passed=outcomes.count("passed"),
        failed=outcomes.count("failed"),
        infra_errors=outcomes.count("infra_error"),
        refused=outcomes.count("refused"),
        wall_ms=sum(one.observed.wall_ms for one in scored if one.observed is not UNSET),
        cost_usd=_total_cost(scored),
    )


def _total_cost(scored: Sequence[Scored]) -> Num | UnsetType:
    cost = golden.summed_cost(golden.measured(one.observed) for one in scored)
    if cost is None:
        return UNSET
    try:
        return to_num(cost)
    except ValueError as error:
        raise TelemetryError(f"the costs of all attempts do not add up: {error}") from None


def pass_rate(scored: Sequence[Scored]) -> Num:
    """Passed attempts over all attempts; partial points are no part of it."""
    return to_num(Fraction(sum(one.verdict.passed for one in scored), len(scored)))


def summarise(tasks: int, scored: Sequence[Scored]) -> Summary:
    """Every number of a bundle's head from `scored`, one entry per task and declared attempt (at least one).

    Raises:
        TelemetryError: as `totals`.
    """
    counts = totals(tasks, scored)
    sample = golden.Sample(
        passed=counts.passed,
        attempts=counts.attempts,
        crashes=sum(one.verdict.crashed for one in scored),
        measured=tuple(golden.measured(one.observed) for one in scored),
        qualities=tuple(one.quality for one in scored),
    )
    parts = golden.parts(sample)
    return Summary(
        totals=counts,
        pass_rate=pass_rate(scored),
        overall_score=to_num(golden.overall(parts)),
        interval=wilson(counts.passed, counts.attempts),
        components=golden.components(parts),
    )
