"""The document of an evaluation: every number rounded once, from exact ones, with what it rests on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from tallystick.core.exact import Num, to_num
from tallystick.records.base import UNSET, UnsetType
from tallystick.records.eval_run import (
    EVAL_RUN_CHARS,
    EVAL_RUN_NOTES,
    EvalComponents,
    EvalFailure,
    EvalMissing,
    EvalRates,
    EvalRun,
    EvalSource,
    EvalTier,
)
from tallystick.records.report import Level
from tallystick.records.task import Tier
from tallystick.scoring.evaluated import Evaluation, Rated, evaluate
from tallystick.scoring.golden import Parts

__all__ = ["DEFAULT_TIERS", "Scope", "bounded_notes", "tier_label", "to_document"]

DEFAULT_TIERS: Final[tuple[Tier, ...]] = ("smoke", "standard", "stretch")
"""What is scored where no tier is named; adversarial tasks only count when somebody asks for them."""
_SCORE_DIGITS: Final = 4
_SECONDS_DIGITS: Final = 2


@dataclass(frozen=True, slots=True)
class Scope:
    """The attempts of an evaluation and what is said beside them. `timestamp`: seconds since 1970."""

    rated: tuple[Rated, ...]
    sources: tuple[EvalSource, ...]
    tiers: tuple[Tier, ...]
    regressions_checked: bool
    notes: tuple[str, ...]
    timestamp: int


def tier_label(tiers: Sequence[Tier]) -> str:
    """`full` for the tiers that count by themselves, else their names."""
    return "full" if tuple(tiers) == DEFAULT_TIERS else "+".join(tiers)


def to_document(scope: Scope) -> EvalRun:
    """Score and write down; raises `ValueError` where there is no attempt."""
    found = evaluate(scope.rated)
    parts = _parts(found.parts)
    failures = tuple(_failures(scope.rated))
    return EvalRun(
        score=to_num(round(found.score, _SCORE_DIGITS)),
        components=parts,
        tier=tier_label(scope.tiers),
        tasks_evaluated=found.tasks,
        duration_seconds=to_num(round(_known_seconds(scope.rated), _SECONDS_DIGITS)),
        timestamp=scope.timestamp,
        multiplicative_components=parts,
        per_tier=_rates(found),
        level=min((Level[source.level] for source in scope.sources if source.attempts), default=Level.claimed).name,
        attempts=found.attempts,
        passed=found.passed,
        judged=found.parts.judged,
        crashes=found.crashes,
        regressions=found.regressions,
        regressions_checked=scope.regressions_checked,
        self_test=any(source.self_test for source in scope.sources),
        tiers=tuple(
            EvalTier(tier=count.tier, tasks=count.tasks, attempts=count.attempts, passed=count.passed) for count in found.tiers
        ),
        sources=scope.sources,
        failures=failures or UNSET,
        missing=tuple(
            EvalMissing(task=each.task_id, attempt=each.attempt, source=each.source, members=each.missing)
            for each in scope.rated
            if each.missing
        ),
        cost_total=_cost(found),
        notes=scope.notes,
    )


def _parts(of: Parts) -> EvalComponents:
    return EvalComponents(
        task_success=to_num(of.task_success),
        code_quality=to_num(of.code_quality),
        efficiency=to_num(of.efficiency),
        reliability=to_num(of.reliability),
        safety=to_num(of.safety),
    )


def _known_seconds(rated: Sequence[Rated]) -> Fraction:
    return sum((each.measured.seconds for each in rated if each.measured.seconds is not None), Fraction(0))


def _rates(found: Evaluation) -> EvalRates:
    rates: dict[Tier, Num] = {count.tier: to_num(count.rate) for count in found.tiers}
    return EvalRates(
        smoke=rates.get("smoke", 0),
        standard=rates.get("standard", 0),
        stretch=rates.get("stretch", 0),
        adversarial=rates.get("adversarial", 0),
    )


def _cost(found: Evaluation) -> Num | UnsetType:
    return UNSET if found.cost_usd is None or found.cost_usd == 0 else to_num(found.cost_usd)


def _failures(rated: Sequence[Rated]) -> list[EvalFailure]:
    return [
        EvalFailure(
            task=each.task_id,
            taxonomy=each.failure.category,
            details=each.failure.details,
            attempt=each.attempt,
            source=each.source,
        )
        for each in rated
        if each.failure is not None
    ]


def bounded_notes(notes: Sequence[str]) -> tuple[str, ...]:
    """As many notes, each as long, as a saved evaluation holds; the last one says how many there are no place for."""
    over = len(notes) - EVAL_RUN_NOTES
    kept = notes if over <= 0 else [*notes[: EVAL_RUN_NOTES - 1], f"and {over + 1} notes more"]
    return tuple(note[:EVAL_RUN_CHARS] for note in kept)
