"""Step 10: the documents of an attempt are those that are named, bound to each other, to the task and to its evaluator."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Protocol

from tallystick.records.cohort.cohort import Attempt, CohortTask, ObjectRef
from tallystick.records.cohort.reading import Node
from tallystick.records.cohort.result_manifest import ResultManifest, parse_result_manifest
from tallystick.records.cohort.schemas import DocumentKind
from tallystick.records.cohort.verification_result import VerificationResult, parse_verification_result
from tallystick.records.cohort.vocabulary import AttemptOutcome, Recommendation, TaskStatus
from tallystick.records.cohort.work_unit import WorkUnit
from tallystick.suites.cohorts.reading import Place, Reader
from tallystick.suites.cohorts.reporting import Code

__all__ = ["OUTCOMES", "Pair", "Seen", "check_attempts"]

OUTCOMES: Final = {
    Recommendation.ACCEPT_CANDIDATE: AttemptOutcome.SUPPORT,
    Recommendation.REJECT_CANDIDATE: AttemptOutcome.REJECT,
    Recommendation.ESCALATE: AttemptOutcome.ESCALATE,
    Recommendation.INSUFFICIENT_EVIDENCE: AttemptOutcome.INSUFFICIENT_EVIDENCE,
}
"""What an attempt's outcome is called for each recommendation of a verifier."""


@dataclass(frozen=True, slots=True)
class Pair:
    """An attempt with its two documents, and the WorkUnit it answers."""

    attempt: Attempt
    manifest: ResultManifest
    result: VerificationResult
    unit: WorkUnit


class Seen(Protocol):
    """Whoever else wants to see each attempt that could be read, while it is in memory."""

    def check_pair(self, task: CohortTask, pair: Pair) -> None:
        """Look at one attempt."""


def check_attempts(reader: Reader, task: CohortTask, unit: WorkUnit | None, seen: Seen | None) -> None:
    """Check every attempt of a task that counts as verified; another task may have none."""
    if task.status != TaskStatus.VERIFIED:
        if task.attempts:
            message = f"{task.id}: pending/excluded task may not attach analyzed attempts"
            reader.sheet.say(10, Code.ATTEMPTS_NOT_ALLOWED, message, task.id)
        return
    for attempt in task.attempts:
        _check_attempt(reader, task, unit, attempt, seen)


def _check_attempt(reader: Reader, task: CohortTask, unit: WorkUnit | None, attempt: Attempt, seen: Seen | None) -> None:
    label = f"{task.id}/{attempt.attempt_id}"
    place = Place(10, label, task.id)
    if attempt.structural_signature not in task.declared_structural_signatures:
        reader.say(place, Code.SIGNATURE_UNDECLARED, f"{label}: structural signature was not predeclared")
    manifest_value = _document(reader, attempt.result_manifest, DocumentKind.RESULT_MANIFEST, place, "ResultManifest")
    result_value = _document(reader, attempt.verification_result, DocumentKind.VERIFICATION_RESULT, place, "VerificationResult")
    if manifest_value is None or result_value is None or unit is None:
        return
    pair = Pair(attempt, parse_result_manifest(manifest_value), parse_verification_result(result_value), unit)
    for code, message in _drifts(task, pair):
        reader.say(place, code, message)
    if seen is not None:
        seen.check_pair(task, pair)


def _document(reader: Reader, ref: ObjectRef, kind: DocumentKind, place: Place, name: str) -> Node | None:
    place = Place(place.step, f"{place.label} {name}", place.task)
    value = reader.document(ref.path, kind, place)
    if value is not None:
        reader.same(value, ref, place)
    return value


def _drifts(task: CohortTask, pair: Pair) -> Iterator[tuple[Code, str]]:
    """What does not hold together, in the original's order."""
    yield from _manifest_drifts(task, pair)
    yield from _result_drifts(task, pair)
    result = pair.result
    if result.verifier_config_digest != task.evaluator.plan_digest:
        yield (
            Code.EVALUATOR_UNBOUND,
            f"{task.id}: VerificationResult is not bound to indexed EvaluatorPlan digest",
        )
    if not result.independent_from_worker:
        yield Code.NOT_INDEPENDENT, f"{task.id}: analyzed verification is not independent from worker"
    if OUTCOMES[result.recommendation] != pair.attempt.outcome:
        yield Code.OUTCOME_DRIFT, f"{task.id}: indexed attempt outcome drift"
    for metric in task.required_metrics:
        if metric not in pair.manifest.resources and metric not in result.resources:
            name = f"{task.id}/{pair.attempt.attempt_id}"
            yield Code.METRIC_MISSING, f"{name}: missing required accounting metric {metric}"


def _manifest_drifts(task: CohortTask, pair: Pair) -> Iterator[tuple[Code, str]]:
    manifest, wanted = pair.manifest, task.work_unit
    bound = {
        "WorkUnit id": (manifest.work_unit_id, wanted.id),
        "WorkUnit version": (manifest.work_unit_version, wanted.version),
        "WorkUnit digest": (manifest.work_unit_digest, wanted.digest),
        "source revision": (manifest.source_revision, task.revision),
    }
    for what, (said, should) in bound.items():
        if said != should:
            yield Code.MANIFEST_DRIFT, f"{task.id}: ResultManifest {what} drift"
    if not pair.unit.required_validator_ids <= manifest.expected_validator_ids:
        yield Code.VALIDATOR_REQUEST_OMITTED, f"{task.id}: ResultManifest omitted required validator request"


def _result_drifts(task: CohortTask, pair: Pair) -> Iterator[tuple[Code, str]]:
    result, wanted, indexed = pair.result, task.work_unit, pair.attempt.result_manifest
    bound = {
        "ResultManifest id": (result.result_manifest_id, indexed.id),
        "WorkUnit id": (result.work_unit_id, wanted.id),
        "WorkUnit version": (result.work_unit_version, wanted.version),
        "WorkUnit digest": (result.work_unit_digest, wanted.digest),
        "ResultManifest digest": (result.result_manifest_digest, indexed.digest),
        "source revision": (result.source_revision, task.revision),
    }
    for what, (said, should) in bound.items():
        if said != should:
            yield Code.RESULT_DRIFT, f"{task.id}: VerificationResult {what} drift"
