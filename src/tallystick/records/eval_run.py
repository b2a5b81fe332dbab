"""A saved evaluation (`tallystick/eval-run/v1`): what `tally eval report` and `tally eval failures` read again.

The first members are those of the golden benchmark harness; the others say what the score rests on. It is local and proves
nothing to others: the bundles that it names do. Specification: docs/spec/state.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from fractions import Fraction
from typing import Annotated, Literal

import msgspec

from tallystick.core import limits
from tallystick.core.exact import to_num
from tallystick.records.base import UNSET, Count, Id, Num, Record, Sha, UnsetType, parse
from tallystick.records.report import LEVELS, Level
from tallystick.records.task import TIERS, Tier

__all__ = [
    "EVAL_RUN_BYTES",
    "EVAL_RUN_CHARS",
    "EVAL_RUN_NOTES",
    "EvalComponents",
    "EvalFailure",
    "EvalMissing",
    "EvalRates",
    "EvalRun",
    "EvalSource",
    "EvalTier",
    "FailureCategory",
    "parse_eval_run",
]

EVAL_RUN_BYTES = 64 * 1024 * 1024
"""Bytes of a saved evaluation: a hundred thousand failures."""

EVAL_RUN_CHARS = 400
"""Characters of a note, or of what is said of one attempt."""
EVAL_RUN_NOTES = 100
Part = Annotated[str, msgspec.Meta(max_length=EVAL_RUN_CHARS)]


class FailureCategory(StrEnum):
    """Why an attempt failed: the closed list, in the order in which the rules of `scoring.taxonomy` are tried."""

    test_regression = "test_regression"
    timeout = "timeout"
    scope_creep = "scope_creep"
    conflict = "conflict"
    hallucination = "hallucination"
    orientation_miss = "orientation_miss"
    incomplete = "incomplete"
    context_miss = "context_miss"


class EvalComponents(Record):
    """The five parts of the score, each from 0 to 1."""

    task_success: Num
    code_quality: Num
    efficiency: Num
    reliability: Num
    safety: Num

    def __post_init__(self) -> None:
        """Each lies within its bounds."""
        for name in self.__struct_fields__:
            if not 0 <= getattr(self, name) <= 1:
                raise ValueError(f"{name} is {getattr(self, name)}; it lies between 0 and 1")


class EvalRates(Record):
    """Pass rates by tier; 0 too where a tier was not scored, which `tiers` tells."""

    smoke: Num
    standard: Num
    stretch: Num
    adversarial: Num


class EvalTier(Record):
    """A tier that was scored."""

    tier: Tier
    tasks: Count
    attempts: Count
    passed: Count


class EvalFailure(Record):
    """An attempt that did not pass, and why."""

    task: Id
    taxonomy: FailureCategory
    details: Part
    attempt: Annotated[int, msgspec.Meta(ge=1)]
    source: Count


class EvalMissing(Record):
    """Telemetry that an attempt lacks: the names of members, or `all`."""

    task: Id
    attempt: Annotated[int, msgspec.Meta(ge=1)]
    source: Count
    members: tuple[Part, ...]


class EvalSource(Record):
    """What was scored. `level` is how much of it this evaluation checked."""

    kind: Literal["bundle", "run", "telemetry"]
    name: Annotated[str, msgspec.Meta(max_length=8192)]
    level: str
    attempts: Count
    agent: Annotated[str, msgspec.Meta(max_length=128)] | UnsetType = UNSET
    self_test: bool = False
    suite_version: Id | UnsetType = UNSET
    suite_hash: Sha | UnsetType = UNSET
    bundle_hash: Sha | UnsetType = UNSET

    def __post_init__(self) -> None:
        """The level is one of the levels."""
        if self.level not in LEVELS:
            raise ValueError(f"{self.level[:40]!r} is no level")


class EvalRun(Record, tag_field="_type", tag="tallystick/eval-run/v1"):
    """One evaluation. `score` has four fractional digits; `components` and `multiplicative_components` are the same five parts.

    `tier` is `full` for smoke, standard and stretch, else the tiers joined by `+`. `duration_seconds` is the time of all
    attempts, as far as it was measured. `regressions_checked` is false where the untouched workspaces could not be graded, and
    where attempts are telemetry, which has none.
    """

    score: Num
    components: EvalComponents
    tier: Annotated[str, msgspec.Meta(max_length=64)]
    tasks_evaluated: Count
    duration_seconds: Num
    timestamp: Count
    multiplicative_components: EvalComponents
    per_tier: EvalRates
    level: str
    attempts: Count
    passed: Count
    judged: Count
    crashes: Count
    regressions: Count
    regressions_checked: bool
    self_test: bool
    tiers: Annotated[tuple[EvalTier, ...], msgspec.Meta(min_length=1, max_length=len(TIERS))]
    sources: Annotated[tuple[EvalSource, ...], msgspec.Meta(min_length=1, max_length=limits.TASKS)]
    failures: Annotated[tuple[EvalFailure, ...], msgspec.Meta(min_length=1, max_length=limits.TASK_RESULTS)] | UnsetType = UNSET
    missing: Annotated[tuple[EvalMissing, ...], msgspec.Meta(max_length=limits.TASK_RESULTS)] = ()
    cost_total: Num | UnsetType = UNSET
    notes: Annotated[tuple[Part, ...], msgspec.Meta(max_length=EVAL_RUN_NOTES)] = ()

    def __post_init__(self) -> None:
        """Counts and parts agree with each other, and nothing says more than the sources do."""
        if self.level not in LEVELS:
            raise ValueError(f"{self.level[:40]!r} is no level")
        problem = next(_contradictions(self), None)
        if problem is not None:
            raise ValueError(problem)


def _contradictions(run: EvalRun) -> Iterator[str]:
    """What in an evaluation does not follow from the rest of it."""
    failures = () if run.failures is UNSET else run.failures
    if run.passed + len(failures) != run.attempts:
        yield f"{run.passed} passed and {len(failures)} failures are not {run.attempts} attempts"
    yield from _tiers_that_lie(run)
    if run.components != run.multiplicative_components:
        yield "components and multiplicative_components are the same parts and differ"
    if not 0 <= run.score <= 1:
        yield f"a score of {run.score}"
    if run.components.task_success != to_num(Fraction(run.passed, run.attempts)):
        yield f"task_success is {run.components.task_success}, and {run.passed} of {run.attempts} attempts passed"
    if run.regressions != sum(failure.taxonomy is FailureCategory.test_regression for failure in failures):
        yield f"{run.regressions} regressions are not those among the failures"
    if run.components.safety != (0 if run.regressions else 1):
        yield f"safety is {run.components.safety} with {run.regressions} regressions"
    if max(run.judged, run.crashes) > run.attempts:
        yield f"{run.judged} judged and {run.crashes} crashes of {run.attempts} attempts"
    if run.duration_seconds < 0 or (run.cost_total is not UNSET and run.cost_total < 0):
        yield "time or cost is negative"
    yield from _sources_that_lie(run, failures)


def _tiers_that_lie(run: EvalRun) -> Iterator[str]:
    names = [tier.tier for tier in run.tiers]
    if run.tier != "full" and not {*run.tier.split("+")} <= {*TIERS}:
        yield f"{run.tier!r} names no tiers"
    if names != [name for name in TIERS if name in names]:
        yield f"the tiers {', '.join(names)} are not each once and in their order"
    if any(not 0 <= tier.passed <= tier.attempts or not 0 < tier.tasks <= tier.attempts for tier in run.tiers):
        yield "a tier without attempts, or with more that passed than there are"
    elif any(getattr(run.per_tier, name) != _rate(run.tiers, name) for name in TIERS):
        yield "per_tier does not follow from the tiers"
    if sum(tier.attempts for tier in run.tiers) != run.attempts or sum(tier.passed for tier in run.tiers) != run.passed:
        yield "the tiers do not add up"
    if not max(tier.tasks for tier in run.tiers) <= run.tasks_evaluated <= sum(tier.tasks for tier in run.tiers):
        yield f"the tiers do not have {run.tasks_evaluated} tasks"


def _rate(tiers: tuple[EvalTier, ...], name: Tier) -> Num:
    found = next((tier for tier in tiers if tier.tier == name), None)
    return 0 if found is None else to_num(Fraction(found.passed, found.attempts))


def _sources_that_lie(run: EvalRun, failures: tuple[EvalFailure, ...]) -> Iterator[str]:
    named = [each.source for each in run.missing] + [each.source for each in failures]
    if any(source >= len(run.sources) for source in named):
        yield "an attempt of a source that is not there"
    if sum(source.attempts for source in run.sources) != run.attempts:
        yield f"the sources do not have {run.attempts} attempts"
    if run.level != min((Level[source.level] for source in run.sources if source.attempts), default=Level.claimed).name:
        yield f"the level {run.level} is not the lowest of the sources"
    if run.self_test != any(source.self_test for source in run.sources):
        yield "self_test is not what the sources are"


def parse_eval_run(data: bytes) -> EvalRun:
    """Read a saved evaluation; errors as `records.base.parse`."""
    return parse(data, EvalRun, EVAL_RUN_BYTES)
