"""A saved evaluation (`tallystick/eval-run/v1`): what `tally eval report` and `tally eval failures` read again.

The first members are those of the golden benchmark harness; the others say what the score rests on. It is local and proves
nothing to others: the bundles that it names do. Specification: docs/spec/state.md.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal

import msgspec

from tallystick.core import limits
from tallystick.records.base import UNSET, Count, Id, Num, Record, Sha, UnsetType, parse
from tallystick.records.report import LEVELS
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
    attempts, as far as it was measured. `regressions_checked` is false where the untouched workspaces could not be graded.
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
        """Counts agree with each other, and the level is one."""
        failures = 0 if self.failures is UNSET else len(self.failures)
        if self.level not in LEVELS:
            raise ValueError(f"{self.level[:40]!r} is no level")
        if self.passed + failures != self.attempts:
            raise ValueError(f"{self.passed} passed and {failures} failures are not {self.attempts} attempts")
        if sum(tier.attempts for tier in self.tiers) != self.attempts or sum(tier.passed for tier in self.tiers) != self.passed:
            raise ValueError("the tiers do not add up")
        if self.components != self.multiplicative_components:
            raise ValueError("components and multiplicative_components are the same parts and differ")
        if not 0 <= self.score <= 1:
            raise ValueError(f"a score of {self.score}")
        named = [each.source for each in self.missing] + [each.source for each in (self.failures or ())]
        if any(source >= len(self.sources) for source in named):
            raise ValueError("an attempt of a source that is not there")


def parse_eval_run(data: bytes) -> EvalRun:
    """Read a saved evaluation; errors as `records.base.parse`."""
    return parse(data, EvalRun, EVAL_RUN_BYTES)
