"""The typed readers say what the documents say, keep the whole document, and take no unchecked ones."""

from collections.abc import Callable
from typing import Any

import pytest

from tallystick.core.pyjson import Json
from tallystick.records.cohort.cohort import NegativeCase, ObjectRef, WorkUnitRef, parse_cohort
from tallystick.records.cohort.evaluator_plan import TallystickBackend, parse_evaluator_plan
from tallystick.records.cohort.result_manifest import Artifact, Log, parse_result_manifest
from tallystick.records.cohort.schemas import PLAN_KINDS, DocumentKind
from tallystick.records.cohort.verification_result import (
    CandidateFinding,
    VerificationCheck,
    VerifierEvidence,
    parse_verification_result,
)
from tallystick.records.cohort.vocabulary import (
    AttemptOutcome,
    CandidateStatus,
    CheckStatus,
    Difficulty,
    EvaluatorVisibility,
    EvidenceType,
    Family,
    FindingCategory,
    LogType,
    Metric,
    NegativeCategory,
    NegativeStatus,
    Recommendation,
    Split,
    Stage,
    TaskStatus,
    VerificationStatus,
)
from tallystick.records.cohort.work_unit import parse_work_unit
from tests.unit.records.cohort import real
from tests.unit.records.cohort.samples import BINDING, COHORT, DIGEST, DOCUMENTS, OWN_PLAN, TIME

PARSERS: dict[DocumentKind, Callable[[Json], Any]] = {
    DocumentKind.COHORT: parse_cohort,
    DocumentKind.WORK_UNIT: parse_work_unit,
    DocumentKind.RESULT_MANIFEST: parse_result_manifest,
    DocumentKind.VERIFICATION_RESULT: parse_verification_result,
    **dict.fromkeys(PLAN_KINDS.values(), parse_evaluator_plan),
}


@pytest.mark.parametrize("kind", DocumentKind)
def test_the_whole_document_is_kept(kind: DocumentKind) -> None:
    assert PARSERS[kind](DOCUMENTS[kind]).value is DOCUMENTS[kind]


@pytest.mark.parametrize("kind", DocumentKind)
@pytest.mark.parametrize("value", [[], None, "x", 1, {}])
def test_unchecked_values_are_a_programmers_mistake(kind: DocumentKind, value: Json) -> None:
    with pytest.raises((KeyError, TypeError)):
        PARSERS[kind](value)


@real.needed
@pytest.mark.parametrize("path", real.FILES)
def test_real_files(path: str) -> None:
    view = PARSERS[real.FILES[path]](real.load(path))
    assert view.id == view.value["id"]


def test_a_cohort() -> None:
    cohort = parse_cohort(COHORT)
    assert (cohort.id, cohort.title, cohort.stage) == ("example/cohort", "Example", Stage.FROZEN)
    assert cohort.minimum_final_tasks == 5
    assert cohort.required_families == (Family.BUG_FIX, Family.REFACTOR)
    assert cohort.definition_digest == DIGEST
    assert cohort.extensions == {"org.example": {"note": None}}
    assert [task.id for task in cohort.tasks] == ["example/open", "example/hidden"]


def test_a_task_with_evidence() -> None:
    task = parse_cohort(COHORT).tasks[0]
    assert (task.family, task.difficulty, task.split) == (Family.BUG_FIX, Difficulty.SMALL, Split.HELD_OUT)
    assert (task.repository, task.revision) == ("https://example.org/repository", "0a" * 20)
    assert task.work_unit == WorkUnitRef("example/unit.json", DIGEST, "example/unit", 1)
    assert task.declared_structural_signatures == ("single", "double")
    assert task.required_metrics == (Metric.WALL_SECONDS, Metric.TOKENS)
    assert (task.status, task.exclusion_reason) == (TaskStatus.VERIFIED, None)
    assert (task.evaluator.visibility, task.evaluator.plan_path) == (EvaluatorVisibility.PUBLIC, "plan.json")
    assert task.negative_case.evidence_type is EvidenceType.VERIFICATION_RESULT
    (attempt,) = task.attempts
    assert (attempt.attempt_id, attempt.structural_signature) == ("attempt-1", "single")
    assert attempt.result_manifest == ObjectRef("manifest.json", DIGEST, "manifest")
    assert attempt.verification_result == ObjectRef("result.json", DIGEST, "result")
    assert attempt.outcome is AttemptOutcome.SUPPORT


def test_a_task_without_evidence() -> None:
    task = parse_cohort(COHORT).tasks[1]
    assert (task.evaluator.visibility, task.evaluator.plan_path) == (EvaluatorVisibility.HIDDEN, None)
    assert (task.evaluator.plan_id, task.evaluator.plan_digest, task.evaluator.backend) == ("example/sealed", DIGEST, "other")
    assert (task.status, task.attempts, task.exclusion_reason) == (TaskStatus.EXCLUDED, (), "Its source is gone.")
    pending = NegativeCase("None yet.", NegativeCategory.OTHER, NegativeStatus.PENDING, None, None, None)
    assert task.negative_case == pending


def test_a_work_unit() -> None:
    unit = parse_work_unit(DOCUMENTS[DocumentKind.WORK_UNIT])
    assert (unit.id, unit.version, unit.kind, unit.source_revision) == ("example/unit", 1, "coding", "0a" * 20)
    assert unit.required_validator_ids == {"tests"}


@pytest.mark.parametrize("version", PLAN_KINDS)
def test_a_plan(version: str) -> None:
    plan = parse_evaluator_plan(DOCUMENTS[PLAN_KINDS[version]])
    assert (plan.schema_version, plan.id) == (version, "example/plan")
    assert {name: getattr(plan, name) for name in BINDING} == BINDING
    assert plan.required_validator_ids == {"tests"}
    assert (plan.tallystick is None) is (plan.backend_type == "unified_diff")


def test_a_plan_of_our_own() -> None:
    assert parse_evaluator_plan(OWN_PLAN).tallystick == TallystickBackend(DIGEST, None, "standard")


def test_a_result_manifest() -> None:
    manifest = parse_result_manifest(DOCUMENTS[DocumentKind.RESULT_MANIFEST])
    assert (manifest.id, manifest.work_unit_id, manifest.work_unit_version) == ("example/manifest", "example/unit", 1)
    assert (manifest.attempt, manifest.worker_id, manifest.status) == (1, "worker", CandidateStatus.SUCCEEDED)
    assert (manifest.started_at, manifest.finished_at) == (TIME, TIME)
    assert manifest.produced_artifacts == (Artifact("patch", "patch", "candidate.patch", DIGEST),)
    assert manifest.logs == (Log(LogType.STDOUT, "out.log", DIGEST), Log(LogType.STDERR, "err.log", None))
    assert manifest.resources["cpu_seconds"] == 1
    assert (manifest.work_unit_digest, manifest.source_revision) == (DIGEST, "0a" * 20)
    assert manifest.expected_validator_ids == {"tests"}
    assert manifest.evidence_artifact_ids == ("patch",)


def test_a_verification_result() -> None:
    result = parse_verification_result(DOCUMENTS[DocumentKind.VERIFICATION_RESULT])
    assert (result.id, result.result_manifest_id, result.work_unit_id) == ("example/result", "example/manifest", "example/unit")
    assert (result.work_unit_version, result.attempt, result.verifier_id) == (1, 1, "verifier")
    assert (result.independent_from_worker, result.worker_id_observed) == (True, "worker")
    assert (result.status, result.started_at, result.finished_at) == (VerificationStatus.FAILED, TIME, TIME)
    assert result.checks == (
        VerificationCheck("tests", "test", required=True, status=CheckStatus.FAILED, evidence_ids=("log",)),
    )
    assert result.evidence == (VerifierEvidence("log", "test_output", "log", DIGEST),)
    assert result.findings == (CandidateFinding("high", FindingCategory.CORRECTNESS, "It is wrong."),)
    assert (result.result_manifest_digest, result.work_unit_digest, result.verifier_config_digest) == (DIGEST, DIGEST, DIGEST)
    assert result.source_revision == "0a" * 20
    assert result.recommendation is Recommendation.REJECT_CANDIDATE
