"""The cohort index, version 0.1: which tasks there are, what judges them, and what evidence there is of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tallystick.core.pyjson import Json
from tallystick.records.cohort import shapes as s
from tallystick.records.cohort.reading import Node, Whole, maybe, node, own_members
from tallystick.records.cohort.vocabulary import (
    AttemptOutcome,
    Difficulty,
    EvaluatorVisibility,
    EvidenceType,
    Family,
    Metric,
    NegativeCategory,
    NegativeStatus,
    Split,
    Stage,
    TaskStatus,
)

__all__ = [
    "AUTHORITY",
    "COHORT",
    "FEWEST_TASKS",
    "MOST_TASKS",
    "Attempt",
    "Cohort",
    "CohortTask",
    "EvaluatorRef",
    "NegativeCase",
    "ObjectRef",
    "WorkUnitRef",
    "parse_cohort",
]

_REF: Final[s.Schema] = {"$ref": "#/$defs/object_ref"}
_SIGNATURE: Final[s.Schema] = {"type": "string", "minLength": 1, "maxLength": 256}
_SOURCE: Final = s.closed({"repository": {**s.FILLED, "format": "uri"}, "revision": s.FILLED})
_WORK_UNIT: Final = s.closed({"path": s.PATH, "digest": s.DIGEST, "id": s.FILLED, "version": s.WHOLE})
_EVALUATOR: Final = s.closed(
    {
        "visibility": s.choice(EvaluatorVisibility),
        "plan_id": s.FILLED,
        "plan_digest": s.DIGEST,
        "backend": s.FILLED,
    },
    {"plan_path": s.PATH},
    s.when(
        "visibility",
        s.const("public"),
        {"required": ["plan_path"]},
        otherwise={"not": {"required": ["plan_path"]}},
    ),
)
_NEGATIVE: Final = s.closed(
    {
        "description": s.FILLED,
        "expected_category": s.choice(NegativeCategory),
        "evidence_status": s.choice(NegativeStatus),
    },
    {"evidence_type": s.choice(EvidenceType), "evidence_path": s.PATH, "evidence_digest": s.DIGEST},
    s.when("evidence_status", s.const("verified"), {"required": ["evidence_type", "evidence_path", "evidence_digest"]}),
)
_EVIDENCE: Final = s.closed(
    {"status": s.choice(TaskStatus), "attempts": s.array({"$ref": "#/$defs/attempt"})},
    {"exclusion_reason": s.FILLED},
    s.when("status", s.const("verified"), {"properties": {"attempts": {"minItems": 1}}}),
    s.when("status", s.const("excluded"), {"required": ["exclusion_reason"]}),
)
_TASK: Final = s.closed(
    {
        "id": s.IDENTIFIER,
        "family": s.choice(Family),
        "difficulty": s.choice(Difficulty),
        "split": s.choice(Split),
        "source": s.described(_SOURCE, "Where the task's files are, and at which revision."),
        "work_unit": s.described(_WORK_UNIT, "What is asked: a WorkUnit file and its digest."),
        "evaluator": s.described(_EVALUATOR, "What judges an answer: a plan, or of a hidden one its digest alone."),
        "declared_structural_signatures": s.array(_SIGNATURE, 1, unique=True),
        "negative_case": s.described(_NEGATIVE, "A wrong answer that must be refused, and the evidence that it was."),
        "accounting": s.closed({"required_metrics": s.array(s.choice(Metric), 1, unique=True)}),
        "evidence": s.described(_EVIDENCE, "What came of the task; no part of the definition."),
    }
)
_ATTEMPT: Final = s.closed(
    {
        "attempt_id": s.FILLED,
        "structural_signature": _SIGNATURE,
        "result_manifest": _REF,
        "verification_result": _REF,
        "outcome": s.choice(AttemptOutcome),
    }
)
AUTHORITY: Final = ("automatic_candidate_selection", "canonical_state_write", "git_push", "merge")
"""What no cohort grants: each of these flags is false."""
FEWEST_TASKS: Final = 5
MOST_TASKS: Final = 1000
"""Between these two lies `minimum_final_tasks`; a cohort may have more tasks."""

COHORT: Final = s.document(
    "Benchmark cohort, version 0.1",
    "A set of tasks and evaluators that is fixed before outcomes exist, and the evidence bound to it afterwards.",
    s.closed(
        {
            "schema_version": s.const("0.1"),
            "id": s.IDENTIFIER,
            "title": s.FILLED,
            "stage": s.choice(Stage),
            "minimum_final_tasks": {"type": "integer", "minimum": FEWEST_TASKS, "maximum": MOST_TASKS},
            "required_families": s.array(s.choice(Family), 1, unique=True),
            "taxonomy_frozen_before_outcomes": s.TRUE,
            "authority": s.described(s.closed(dict.fromkeys(AUTHORITY, s.FALSE)), "What the index may do by itself: nothing."),
            "tasks": s.array({"$ref": "#/$defs/task"}, 1),
        },
        {"description": s.TEXT, "definition_digest": s.DIGEST, "extensions": s.EXTENSIONS},
        s.when("stage", s.choice((Stage.FROZEN, Stage.BURNED)), {"required": ["definition_digest"]}),
    ),
    {
        "task": _TASK,
        "attempt": _ATTEMPT,
        "object_ref": s.closed({"path": s.PATH, "digest": s.DIGEST, "id": s.FILLED}),
    },
)


@dataclass(frozen=True, slots=True)
class ObjectRef:
    """Where a document lies, what its digest should be, and its id."""

    path: str
    digest: str
    id: str


@dataclass(frozen=True, slots=True)
class WorkUnitRef:
    """The same of a WorkUnit, with its version."""

    path: str
    digest: str
    id: str
    version: Whole


@dataclass(frozen=True, slots=True)
class EvaluatorRef:
    """A plan; `plan_path` is there exactly if it is public."""

    visibility: EvaluatorVisibility
    plan_id: str
    plan_digest: str
    backend: str
    plan_path: str | None


@dataclass(frozen=True, slots=True)
class NegativeCase:
    """A wrong answer that must be refused; the last three members are all there if its status is `verified`."""

    description: str
    expected_category: NegativeCategory
    evidence_status: NegativeStatus
    evidence_type: EvidenceType | None
    evidence_path: str | None
    evidence_digest: str | None


@dataclass(frozen=True, slots=True)
class Attempt:
    """An attempt and its two documents."""

    attempt_id: str
    structural_signature: str
    result_manifest: ObjectRef
    verification_result: ObjectRef
    outcome: AttemptOutcome


@dataclass(frozen=True, slots=True)
class CohortTask:
    """One task; `status`, `attempts` and `exclusion_reason` are its evidence."""

    id: str
    family: Family
    difficulty: Difficulty
    split: Split
    repository: str
    revision: str
    work_unit: WorkUnitRef
    evaluator: EvaluatorRef
    declared_structural_signatures: tuple[str, ...]
    negative_case: NegativeCase
    required_metrics: tuple[Metric, ...]
    status: TaskStatus
    attempts: tuple[Attempt, ...]
    exclusion_reason: str | None


@dataclass(frozen=True, slots=True)
class Cohort:
    """A cohort; `value` is the whole document, of which digests are made."""

    value: Node
    id: str
    title: str
    description: str | None
    stage: Stage
    minimum_final_tasks: Whole
    required_families: tuple[Family, ...]
    definition_digest: str | None
    tasks: tuple[CohortTask, ...]
    extensions: Node

    @property
    def ours(self) -> Node:
        """Our member of the extensions, which no schema describes; empty where there is none."""
        return own_members(self.value)


def parse_cohort(value: Json) -> Cohort:
    """Read a document that `check` found no offence in; any other raises KeyError, TypeError or ValueError."""
    top = node(value)
    return Cohort(
        value=top,
        id=top["id"],
        title=top["title"],
        description=top.get("description"),
        stage=Stage(top["stage"]),
        minimum_final_tasks=top["minimum_final_tasks"],
        required_families=tuple(map(Family, top["required_families"])),
        definition_digest=top.get("definition_digest"),
        tasks=tuple(map(_task, top["tasks"])),
        extensions=top.get("extensions", {}),
    )


def _task(task: Node) -> CohortTask:
    evidence = task["evidence"]
    return CohortTask(
        id=task["id"],
        family=Family(task["family"]),
        difficulty=Difficulty(task["difficulty"]),
        split=Split(task["split"]),
        repository=task["source"]["repository"],
        revision=task["source"]["revision"],
        work_unit=WorkUnitRef(**task["work_unit"]),
        evaluator=_evaluator(task["evaluator"]),
        declared_structural_signatures=tuple(task["declared_structural_signatures"]),
        negative_case=_negative(task["negative_case"]),
        required_metrics=tuple(map(Metric, task["accounting"]["required_metrics"])),
        status=TaskStatus(evidence["status"]),
        attempts=tuple(map(_attempt, evidence["attempts"])),
        exclusion_reason=evidence.get("exclusion_reason"),
    )


def _evaluator(evaluator: Node) -> EvaluatorRef:
    return EvaluatorRef(
        visibility=EvaluatorVisibility(evaluator["visibility"]),
        plan_id=evaluator["plan_id"],
        plan_digest=evaluator["plan_digest"],
        backend=evaluator["backend"],
        plan_path=evaluator.get("plan_path"),
    )


def _negative(negative: Node) -> NegativeCase:
    return NegativeCase(
        description=negative["description"],
        expected_category=NegativeCategory(negative["expected_category"]),
        evidence_status=NegativeStatus(negative["evidence_status"]),
        evidence_type=maybe(EvidenceType, negative.get("evidence_type")),
        evidence_path=negative.get("evidence_path"),
        evidence_digest=negative.get("evidence_digest"),
    )


def _attempt(attempt: Node) -> Attempt:
    return Attempt(
        attempt_id=attempt["attempt_id"],
        structural_signature=attempt["structural_signature"],
        result_manifest=ObjectRef(**attempt["result_manifest"]),
        verification_result=ObjectRef(**attempt["verification_result"]),
        outcome=AttemptOutcome(attempt["outcome"]),
    )
