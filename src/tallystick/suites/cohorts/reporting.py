"""What a validation found: findings with a code each, and the facts about a cohort that a reader asks for.

Steps 0 to 14 are those of the validator that the format comes from, in its order and with its messages; 15 to 19 are ours
and hold in strict reading only. `docs/cohorts/validating.md` says what each code means.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from tallystick.core.digest import Digest
from tallystick.core.limits import COHORT_FINDINGS
from tallystick.core.pyjson import Json
from tallystick.records.cohort.vocabulary import Stage

__all__ = ["ORIGINAL_STEPS", "STEPS", "WORK_UNIT_STEP", "Code", "Finding", "Report", "Said", "Sheet"]

STEPS: Final = {
    0: "paths and bytes of the cohort",
    1: "schema of the cohort",
    2: "task ids",
    3: "source revision",
    4: "WorkUnit",
    5: "WorkUnit version",
    6: "WorkUnit source revision",
    7: "duplicate items",
    8: "evaluator",
    9: "attempt ids",
    10: "attempts",
    11: "seeded negative",
    12: "required evidence",
    13: "size and families",
    14: "definition digest",
    15: "strict: bytes and files",
    16: "strict: names",
    17: "strict: definition",
    18: "strict: attempts",
    19: "strict: seeded negatives",
}
_SHOWN: Final = 3
"""Findings that one line names."""
WORK_UNIT_STEP: Final = 4
"""The step that reads the WorkUnit of a task."""
ORIGINAL_STEPS: Final = 14
"""The last step that the original has too."""


class Code(StrEnum):
    """Every finding that there is, by the first step that makes it."""

    # 0, and wherever a file is read
    PATH_UNSAFE = "path-unsafe"
    PATH_ESCAPES = "path-escapes"
    FILE_MISSING = "file-missing"
    FILE_UNREADABLE = "file-unreadable"
    JSON_UNREADABLE = "json-unreadable"
    LFS_POINTER = "lfs-pointer"
    JSON_NOT_OBJECT = "json-not-object"
    # 1, and wherever a document is read
    SCHEMA = "schema"
    # 2 to 7
    TASK_IDS_NOT_UNIQUE = "task-ids-not-unique"
    REVISION_NOT_PINNED = "revision-not-pinned"
    DIGEST_DRIFT = "digest-drift"
    ID_DRIFT = "id-drift"
    VERSION_DRIFT = "version-drift"
    REVISION_DRIFT = "revision-drift"
    DUPLICATE_ITEM = "duplicate-item"
    # 8
    PLAN_VERSION_MISSING = "plan-version-missing"
    PLAN_VERSION_UNSUPPORTED = "plan-version-unsupported"
    BACKEND_DRIFT = "backend-drift"
    PLAN_DRIFT = "plan-drift"
    VALIDATOR_SET_DRIFT = "validator-set-drift"
    # 9, 10
    ATTEMPT_IDS_NOT_UNIQUE = "attempt-ids-not-unique"
    SIGNATURE_UNDECLARED = "signature-undeclared"
    MANIFEST_DRIFT = "manifest-drift"
    VALIDATOR_REQUEST_OMITTED = "validator-request-omitted"
    RESULT_DRIFT = "result-drift"
    EVALUATOR_UNBOUND = "evaluator-unbound"
    NOT_INDEPENDENT = "not-independent"
    OUTCOME_DRIFT = "outcome-drift"
    METRIC_MISSING = "metric-missing"
    ATTEMPTS_NOT_ALLOWED = "attempts-not-allowed"
    # 11, 12
    NEGATIVE_ACCEPTS = "negative-accepts"
    NEGATIVE_FINDING_MISSING = "negative-finding-missing"
    EVIDENCE_PENDING = "evidence-pending"
    NEGATIVE_UNVERIFIED = "negative-unverified"
    # 13, 14
    TOO_FEW_TASKS = "too-few-tasks"
    FAMILIES_UNCOVERED = "families-uncovered"
    DEFINITION_DRIFT = "definition-drift"
    # 15
    MEMBER_TWICE = "member-twice"
    NUMBER_NOT_FINITE = "number-not-finite"
    LONE_SURROGATE = "lone-surrogate"
    NOT_A_URI = "not-a-uri"
    TRAILING_NEWLINE = "trailing-newline"
    SYMLINK = "symlink"
    PATH_SPELLING = "path-spelling"
    PATH_CONFUSABLE = "path-confusable"
    NESTED_REPOSITORY = "nested-repository"
    # 16
    HIDDEN_CHARACTER = "hidden-character"
    NOT_NORMALIZED = "not-normalized"
    CONFUSABLE_NAME = "confusable-name"
    NEAR_MISS_SIGNATURE = "near-miss-signature"
    # 17
    REPOSITORY_SPELLING = "repository-spelling"
    DUPLICATE_RESPELLED = "duplicate-respelled"
    PLAN_VISIBILITY_DRIFT = "plan-visibility-drift"
    NO_REQUIRED_VALIDATOR = "no-required-validator"
    OUTCOME_BEFORE_FREEZE = "outcome-before-freeze"
    HIDDEN_NOT_REVEALED = "hidden-not-revealed"
    REVEAL_BEFORE_FREEZE = "reveal-before-freeze"
    REVEAL_GUESSABLE = "reveal-guessable"
    REVEAL_MISMATCH = "reveal-mismatch"
    # 18
    RESULT_COUNTED_TWICE = "result-counted-twice"
    SIGNATURE_DRIFT = "signature-drift"
    VERIFIER_IS_WORKER = "verifier-is-worker"
    OBSERVED_WORKER_DRIFT = "observed-worker-drift"
    ATTESTATION_BROKEN = "attestation-broken"
    ATTEMPT_NUMBER_DRIFT = "attempt-number-drift"
    VERDICT_CONTRADICTS_STATUS = "verdict-contradicts-status"
    VERDICT_CONTRADICTS_CHECKS = "verdict-contradicts-checks"
    REQUIRED_CHECK_MISSING = "required-check-missing"
    EVIDENCE_UNRESOLVED = "evidence-unresolved"
    DATES_OUT_OF_ORDER = "dates-out-of-order"
    ARTIFACT_MISSING = "artifact-missing"
    ARTIFACT_CHANGED = "artifact-changed"
    METRIC_NOT_A_NUMBER = "metric-not-a-number"
    BUDGET_UNEQUAL = "budget-unequal"
    # 19
    NEGATIVE_TYPE = "negative-type"
    NEGATIVE_NOT_REJECTED = "negative-not-rejected"
    NEGATIVE_OF_ANOTHER_TASK = "negative-of-another-task"
    NEGATIVE_COUNTED_TWICE = "negative-counted-twice"
    NEGATIVE_NAMES_ACCEPTED_ATTEMPT = "negative-names-accepted-attempt"


Said = Iterator[tuple[Code, str]]
"""Findings of a check, each with its message; who asked for the check knows step and task."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong; `task` where it is one task's. The message is the original's where the step is.

    `detail` is never the original's: which file it is, and which digest it should have.
    """

    code: Code
    step: int
    task: str | None
    message: str
    detail: str = field(default="", compare=False)
    """No part of what was found, so two findings that differ in it alone are the same."""

    def tree(self) -> Json:
        """As `--json` shows it."""
        more: dict[str, Json] = {"detail": self.detail} if self.detail else {}
        return {"code": self.code.value, "message": self.message, "step": self.step, "task": self.task, **more}


@dataclass(frozen=True, slots=True)
class Report:
    """All findings, those of the original first, and what the cohort is. Without a readable cohort its facts are None."""

    findings: tuple[Finding, ...]
    left_out: int = 0
    cohort_id: str | None = None
    definition_digest: Digest | None = None
    stage: Stage | None = None
    task_count: int = 0
    pending_tasks: int = 0
    verified_tasks: int = 0
    excluded_tasks: int = 0
    automatic_candidate_selection: bool = False

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return not self.findings

    def first(self) -> str:
        """The first findings in one line, and how many more there are."""
        said = "; ".join(finding.message for finding in self.findings[:_SHOWN])
        more = len(self.findings) + self.left_out - _SHOWN
        return said + (f"; and {more} more" if more > 0 else "")

    def summary(self) -> dict[str, Json]:
        """The facts, under the names that the original prints."""
        return {
            "automatic_candidate_selection": self.automatic_candidate_selection,
            "cohort_id": self.cohort_id,
            "definition_digest": self.definition_digest,
            "excluded_tasks": self.excluded_tasks,
            "pending_tasks": self.pending_tasks,
            "stage": None if self.stage is None else self.stage.value,
            "task_count": self.task_count,
            "verified_tasks": self.verified_tasks,
        }


@dataclass(slots=True)
class Sheet:
    """Where findings are written down while documents stream past: the original's stay before ours, and both are bounded."""

    original: list[Finding] = field(default_factory=list)
    ours: list[Finding] = field(default_factory=list)
    left_out: int = 0

    def say(self, step: int, code: Code, message: str, task: str | None = None, detail: str = "") -> None:
        """Write down one finding."""
        rows = self.original if step <= ORIGINAL_STEPS else self.ours
        if len(rows) < COHORT_FINDINGS:
            rows.append(Finding(code, step, task, message, detail))
        else:
            self.left_out += 1

    def findings(self) -> tuple[Finding, ...]:
        """All of them in order: those of the original, as it would meet them, then ours."""
        return (*self.original, *self.ours)
