"""What a verifier found: numbered steps, a row per task and attempt, the level reached, and what is not proven."""

from __future__ import annotations

from enum import Enum, IntEnum
from typing import Final

from tallystick.records.base import UNSET, Count, Num, Record, UnsetType

__all__ = [
    "LACKING",
    "LEVELS",
    "NOTHING_RUN",
    "NOT_PROVEN",
    "STEPS",
    "Level",
    "Report",
    "Row",
    "Status",
    "Step",
    "StepResult",
    "level_of",
]


class Status(Enum):
    """What became of a bundle, or of one of its rows."""

    MATCH = "MATCH"
    DIVERGED = "DIVERGED"
    MISSING_RECEIPT = "MISSING_RECEIPT"
    HASH_MISMATCH = "HASH_MISMATCH"
    MALFORMED_RECEIPT = "MALFORMED_RECEIPT"
    FABRICATED_SCORE = "FABRICATED_SCORE"
    COVERAGE_MISMATCH = "COVERAGE_MISMATCH"
    UNSIGNED = "UNSIGNED"
    UNTRUSTED_SIGNER = "UNTRUSTED_SIGNER"
    BAD_SIGNATURE = "BAD_SIGNATURE"
    UNSTABLE = "UNSTABLE"
    NOT_REGRADED = "NOT_REGRADED"
    NOT_REPLAYED = "NOT_REPLAYED"
    REUSED_ANSWERS = "REUSED_ANSWERS"
    CACHED_ANSWERS = "CACHED_ANSWERS"
    COORDINATION_DIVERGED = "COORDINATION_DIVERGED"
    FABRICATED_FLOOR = "FABRICATED_FLOOR"
    PARTIAL = "PARTIAL"
    WITHHELD = "WITHHELD"


NOTHING_RUN: Final = "no graders were run"
"""The note at the step that runs graders again, where none was."""
LACKING: Final = (Status.WITHHELD, Status.PARTIAL, Status.UNTRUSTED_SIGNER, Status.UNSIGNED)
"""Statuses that name what is lacking, not what is wrong: they stand only where nothing else failed, the first one first."""


class Level(IntEnum):
    """How much this verifier did, lowest first."""

    claimed = 0
    intact = 1
    rederived = 2
    regraded = 3
    replayed = 4
    reproduced = 5


LEVELS: Final = tuple(level.name for level in Level)


def level_of(said: str) -> Level:
    """The level that a report or a row says, which may be followed by how it came about, as in `regraded (in-process)`."""
    return Level[said.partition(" ")[0]]


class Step(IntEnum):
    """The steps of verification, numbered alike in code, report and docs/spec/verify.md."""

    container = 1
    canonical = 2
    schema = 3
    bundle_hash = 4
    key = 5
    signature = 6
    suite = 7
    coverage = 8
    blobs = 9
    journals = 10
    spines = 11
    verdicts = 12
    scores = 13
    coordination = 14
    announcement = 15
    regrade = 16
    replay = 17
    report = 18


STEPS: Final[dict[Step, str]] = {
    Step.container: "container within its limits",
    Step.canonical: "canonical bytes (C1)",
    Step.schema: "type and closed schema",
    Step.bundle_hash: "bundle hash",
    Step.key: "signing key admitted",
    Step.signature: "signature and submitter",
    Step.suite: "suite known to this reader",
    Step.coverage: "version, order, limits and coverage",
    Step.blobs: "blobs exactly those named",
    Step.journals: "journals: roots, begin and end, order",
    Step.spines: "spines",
    Step.verdicts: "verdicts from evidence",
    Step.scores: "scores, totals and telemetry",
    Step.coordination: "coordination",
    Step.announcement: "announcement and log proofs",
    Step.regrade: "graders run again",
    Step.replay: "agent run again on recorded answers",
    Step.report: "report",
}

NOT_PROVEN: Final = (
    "that the named agent, or any model, made these files",
    "that no unannounced run was discarded",
    "that the agent's program holds no answers",
    "that the submitter is one person",
    "that hidden tests did not leak",
)


class StepResult(Record):
    """One numbered step: `ok`, `failed`, `skipped` (with why in `note`) or `not_applicable`."""

    step: int
    title: str
    state: str
    note: str = ""


class Row(Record):
    """What became of one attempt at one task.

    `quality` is what counts as its quality, absent for an unjudged one; `opinion` what a model's scores are worth.
    """

    task_id: str
    attempt: int
    status: Status
    passed: bool | UnsetType = UNSET
    step: int | UnsetType = UNSET
    reason: str = ""
    level: str = "claimed"
    tries: Count = 0
    outcome: str = ""
    equals_reference: bool | UnsetType = UNSET
    quality: Num | UnsetType = UNSET
    opinion: Num | UnsetType = UNSET


class Report(Record, tag_field="_type", tag="tallystick/report/v1"):
    """The whole finding. `status` is MATCH exactly when nothing failed; `level` is the lowest of the rows'."""

    status: Status
    level: str
    bundle_hash: str = ""
    suite_hash: str = ""
    suite_version: str = ""
    signer: str = "none"
    signer_kid: str = ""
    self_test: bool = False
    agent: str = ""
    sandbox: str = ""
    passed: Count = 0
    attempts: Count = 0
    pass_rate: Num | UnsetType = UNSET
    judged: Count = 0
    code_quality: Num | UnsetType = UNSET
    steps: tuple[StepResult, ...] = ()
    rows: tuple[Row, ...] = ()
    reasons: tuple[str, ...] = ()
    not_proven: tuple[str, ...] = NOT_PROVEN
