"""A task of a cohort from the documents it binds: a WorkUnit, and an EvaluatorPlan or the commitment to a hidden one."""

from __future__ import annotations

from dataclasses import dataclass

from tallystick.core import pyjson
from tallystick.core.errors import InputError
from tallystick.core.pyjson import Json
from tallystick.records.cohort.reading import Node
from tallystick.records.cohort.vocabulary import Difficulty, Family, Metric, NegativeCategory, Split
from tallystick.suites.cohorts.files import Files

__all__ = ["HiddenPlan", "TaskRequest", "task_of"]


@dataclass(frozen=True, slots=True)
class HiddenPlan:
    """What the public learns of a hidden evaluator: the digest that commits to plan and salt, and two names."""

    commitment: str
    plan_id: str
    backend: str


@dataclass(frozen=True, slots=True)
class TaskRequest:
    """A task to make. Paths are relative to the root; `plan` is the path of a public plan or a hidden one's commitment."""

    work_unit: str
    plan: str | HiddenPlan
    repository: str
    family: Family
    difficulty: Difficulty
    split: Split
    signatures: tuple[str, ...]
    negative: str
    negative_category: NegativeCategory
    metrics: tuple[Metric, ...]
    task_id: str | None = None
    """Default: the id of the work unit."""


def task_of(files: Files, request: TaskRequest) -> Node:
    """The task, pending, with the digests of its documents as they are now. What is wrong with it, the validator says.

    Raises:
        InputError: a document cannot be read, or lacks what the task takes from it.
    """
    unit = _document(files, request.work_unit, "WorkUnit")
    return {
        "id": request.task_id or _member(unit, request.work_unit, "id"),
        "family": request.family,
        "difficulty": request.difficulty,
        "split": request.split,
        "source": {
            "repository": request.repository,
            "revision": _member(unit, request.work_unit, "provenance", "source_revision"),
        },
        "work_unit": {
            "path": request.work_unit,
            "digest": pyjson.digest(unit),
            "id": _member(unit, request.work_unit, "id"),
            "version": _member(unit, request.work_unit, "version"),
        },
        "evaluator": _evaluator(files, request.plan),
        "declared_structural_signatures": list[Json](request.signatures),
        "negative_case": {
            "description": request.negative,
            "expected_category": request.negative_category,
            "evidence_status": "pending",
        },
        "accounting": {"required_metrics": list[Json](request.metrics)},
        "evidence": {"status": "pending", "attempts": []},
    }


def _evaluator(files: Files, plan: str | HiddenPlan) -> Node:
    if isinstance(plan, HiddenPlan):
        return {
            "visibility": "hidden",
            "plan_id": plan.plan_id,
            "plan_digest": plan.commitment,
            "backend": plan.backend,
        }
    value = _document(files, plan, "EvaluatorPlan")
    return {
        "visibility": "public",
        "plan_id": _member(value, plan, "id"),
        "plan_digest": pyjson.digest(value),
        "backend": _member(value, plan, "backend", "type"),
        "plan_path": plan,
    }


def _document(files: Files, path: str, label: str) -> Node:
    try:
        value = pyjson.read(files.read(path, label), strict=True)
    except pyjson.PyJsonError as error:
        raise InputError(f"{label} {path}: {error}") from None
    if not isinstance(value, dict):
        raise InputError(f"{label} {path}: expected a JSON object")
    return value


def _member(value: Node, where: str, *path: str) -> Json:
    """A member that a task takes over, whatever its type: the schema of the cohort says what it may be."""
    found: Json = value
    for name in path:
        found = found.get(name) if isinstance(found, dict) else None
    if found is None:
        raise InputError(f"{where} has no member {'.'.join(path)}")
    return found
