"""WorkUnit, EvaluatorPlan and cohort documents of the tasks of a suite, as JSON values.

A task becomes a WorkUnit (what is asked, within which bounds, starting from which commit), a plan of our own version (how it is
graded: by the task of this hash) and a task of a cohort. What a hidden task is graded by stands in its plan alone: its WorkUnit
names no hash of the task, and its seeded negative no cheat. Shapes: docs/spec/cohort-documents.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from tallystick.core.digest import Digest
from tallystick.core.pyjson import Json, digest
from tallystick.records.base import UNSET
from tallystick.records.cohort.cohort import AUTHORITY
from tallystick.records.cohort.reading import EXTENSION
from tallystick.records.cohort.vocabulary import (
    Difficulty,
    EvaluatorVisibility,
    Family,
    Metric,
    NegativeStatus,
    Split,
    Stage,
    TaskStatus,
)
from tallystick.records.task import Cheat, Task
from tallystick.suites.cohorts.labels import expected_category, kind_of
from tallystick.suites.instruction import instruction

__all__ = [
    "BACKEND",
    "VALIDATORS",
    "VERIFIER",
    "VERIFIER_VERSION",
    "CohortHead",
    "Placed",
    "Source",
    "bare_cohort",
    "cohort_document",
    "cohort_task",
    "number",
    "plan",
    "work_unit",
]

BACKEND: Final = "tallystick_task"
VERIFIER: Final = "tallystick"
VERIFIER_VERSION: Final = "1"
VALIDATORS: Final = ("result-manifest-schema", "task-grade")
"""What every WorkUnit of ours demands: a manifest of the right shape, and a grade in which every assertion holds."""


@dataclass(frozen=True, slots=True)
class Source:
    """Where a task's workspace comes from: a repository, and a commit of it (40 hex digits)."""

    repository: str
    revision: str


@dataclass(frozen=True, slots=True)
class Placed:
    """A task of a cohort with its documents, their paths (relative to the root) and its labels.

    `plan_path` is None where the evaluator is hidden; then `commitment` is the digest over its salt and plan.
    """

    id: str
    task: Task
    source: Source
    unit: Json
    unit_path: str
    plan: Json
    plan_path: str | None
    commitment: Digest
    cheat: Cheat
    family: Family
    difficulty: Difficulty


@dataclass(frozen=True, slots=True)
class CohortHead:
    """What a cohort says about itself, and what holds for each of its tasks.

    `suite` is (path, suite_hash) of the suite that its public tasks are in, or None where all are hidden.
    """

    id: str
    title: str
    description: str
    split: Split
    signatures: tuple[str, ...]
    metrics: tuple[Metric, ...]
    minimum: int
    suite: tuple[str, Digest] | None


def number(value: Fraction | int) -> int | float:
    """A JSON number: an integer where it is one."""
    exact = Fraction(value)
    return exact.numerator if exact.denominator == 1 else float(exact)


def work_unit(task_id: str, task: Task, source: Source, suite: tuple[str, Digest], *, hidden: bool) -> dict[str, Json]:
    """The WorkUnit of a task; `suite` is its version and hash.

    A hidden one says nothing from which its grading could be guessed.
    """
    owned: list[Json] = ["**"] if task.owned_files is UNSET else list(task.owned_files)
    named: dict[str, Json] = {"task_id": task.id}
    if not hidden:
        named |= {"suite_hash": suite[1], "suite_version": suite[0], "task_hash": task.task_hash}
    return {
        "schema_version": "0.2",
        "id": task_id,
        "version": 1,
        "kind": kind_of(task),
        "objective": task.title,
        "context": {"summary": instruction(task)},
        "inputs": [_input(task, source)],
        "outputs": [_OUTPUT],
        "dependencies": [],
        "requirements": _requirements(task),
        "constraints": {"allowed_paths": owned, "forbidden_paths": _forbidden(task), "policies": list(_POLICIES)},
        "uncertainty": [],
        "security": _SECURITY,
        "permissions": {"network": "none", "filesystem_write": owned, "secrets": [], "process_execution": True},
        "verification_policy": _POLICY,
        "validators": list(_VALIDATORS),
        "evidence_requirements": list(_EVIDENCE),
        "budget": _budget(task),
        "provenance": {
            "created_by": "tallystick",
            "creator_type": "system",
            "source": "a task of a suite" if hidden else f"task {task.id} of the suite {suite[0]}",
            "source_revision": source.revision,
        },
        "failure_semantics": {"retryable": False, "max_attempts": 1, "on_failure": "stop"},
        "extensions": {EXTENSION: named},
    }


def _input(task: Task, source: Source) -> Json:
    return {"id": "source-repository", "type": "git_ref", "locator": source.repository, "digest": task.workspace}


def _requirements(task: Task) -> Json:
    return {
        "capabilities": ["python"],
        "resources": {
            "cpu_cores_min": 1,
            "memory_mb_min": task.limits.memory_mb,
            "disk_mb_min": task.limits.disk_mb,
            "gpu": "none",
        },
    }


def _forbidden(task: Task) -> list[Json]:
    return list(dict.fromkeys(task.protected_files))


def _budget(task: Task) -> Json:
    return {
        "wall_seconds": number(Fraction(task.limits.wall_ms, 1000)),
        "project_spend_usd_max": number(Fraction(task.limits.cost_usd)),
        "paid_fallback_allowed": False,
    }


_OUTPUT: Final[Json] = {
    "id": "candidate-patch",
    "type": "patch",
    "description": "What the workspace became, as a unified diff against the source revision; unverified.",
    "media_type": "text/x-diff",
}
_POLICIES: Final = ("candidate-only", "independent-verification-required", "benchmark-definition-immutable")
_SECURITY: Final[Json] = {
    "risk_class": "low",
    "data_classification": "public",
    "minimum_worker_trust": "untrusted",
    "sandbox_required": True,
}
_POLICY: Final[Json] = {
    "strategy": "all_required",
    "independent_from_worker": True,
    "minimum_independent_verifiers": 1,
    "acceptance_rule": "Both required validators pass. What a worker says of itself decides nothing.",
}
_VALIDATORS: Final[tuple[Json, ...]] = (
    {
        "id": VALIDATORS[0],
        "type": "schema",
        "required": True,
        "description": "The worker's output is a ResultManifest v0.1 that is bound to this WorkUnit.",
    },
    {
        "id": VALIDATORS[1],
        "type": "test",
        "required": True,
        "description": "Graded again in a sandbox, every assertion of the task holds.",
    },
)
_EVIDENCE: Final[tuple[Json, ...]] = (
    {"type": "artifact_hash", "required": True},
    {"type": "test_output", "required": True},
    {"type": "attestation", "required": True},
)


def plan(plan_id: str, unit: Json, task: Task) -> dict[str, Json]:
    """The evaluator plan of a task: graded by the task of this hash, in a sandbox, never by looking at a diff."""
    assert isinstance(unit, dict)
    provenance = unit["provenance"]
    assert isinstance(provenance, dict)
    return {
        "schema_version": "tallystick-0.1",
        "id": plan_id,
        "binding": {
            "work_unit_id": unit["id"],
            "work_unit_version": unit["version"],
            "work_unit_digest": digest(unit),
            "source_revision": provenance["source_revision"],
        },
        "required_validator_ids": list(VALIDATORS),
        "backend": {
            "type": BACKEND,
            "task_hash": task.task_hash,
            "grader": None if task.grader is UNSET else task.grader,
            "sandbox_policy": task.grading.policy,
        },
        "execution_mode": "sandboxed_execution",
        "verifier": {"id": VERIFIER, "adapter_version": VERIFIER_VERSION},
    }


def cohort_task(placed: Placed, head: CohortHead) -> dict[str, Json]:
    """A task of a cohort, with everything about outcomes still pending."""
    unit, made = placed.unit, placed.plan
    assert isinstance(unit, dict)
    assert isinstance(made, dict)
    hidden = placed.plan_path is None
    return {
        "id": placed.id,
        "family": placed.family,
        "difficulty": placed.difficulty,
        "split": head.split,
        "source": {"repository": placed.source.repository, "revision": placed.source.revision},
        "work_unit": {"path": placed.unit_path, "digest": digest(unit), "id": unit["id"], "version": unit["version"]},
        "evaluator": {
            "visibility": (EvaluatorVisibility.HIDDEN if hidden else EvaluatorVisibility.PUBLIC).value,
            "plan_id": made["id"],
            "plan_digest": placed.commitment,
            "backend": BACKEND,
            **({} if placed.plan_path is None else {"plan_path": placed.plan_path}),
        },
        "declared_structural_signatures": list(head.signatures),
        "negative_case": {
            "description": _negative(placed.cheat, hidden=hidden),
            "expected_category": expected_category(placed.task, placed.cheat),
            "evidence_status": NegativeStatus.PENDING.value,
        },
        "accounting": {"required_metrics": list(head.metrics)},
        "evidence": {"status": TaskStatus.PENDING.value, "attempts": []},
    }


def _negative(cheat: Cheat, *, hidden: bool) -> str:
    if hidden:
        return "A candidate that only seems to solve the task is rejected."
    return f"The candidate of the cheat {cheat.name} is rejected: {', '.join(sorted(cheat.fails))} must not hold."


def cohort_document(head: CohortHead, tasks: Sequence[Placed]) -> dict[str, Json]:
    """The cohort of these tasks, in the stage scaffold."""
    families = list(dict.fromkeys(placed.family for placed in tasks))
    suite: dict[str, Json] = {} if head.suite is None else {"suite": {"path": head.suite[0], "suite_hash": head.suite[1]}}
    made = bare_cohort(head.id, head.title, head.minimum, families, [cohort_task(placed, head) for placed in tasks])
    return {**made, "description": head.description, "extensions": {EXTENSION: suite}}


def bare_cohort(
    cohort_id: str, title: str, minimum: int, families: Sequence[Family], tasks: Sequence[dict[str, Json]]
) -> dict[str, Json]:
    """A cohort that has just been made: a scaffold without any authority."""
    return {
        "schema_version": "0.1",
        "id": cohort_id,
        "title": title,
        "stage": Stage.SCAFFOLD.value,
        "minimum_final_tasks": minimum,
        "required_families": [family.value for family in families],
        "taxonomy_frozen_before_outcomes": True,
        "authority": dict.fromkeys(AUTHORITY, False),
        "tasks": list[Json](tasks),
    }
