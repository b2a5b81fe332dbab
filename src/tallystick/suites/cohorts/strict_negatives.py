"""Step 19: a seeded negative is this task's own, judged by this task's evaluator, and counted once."""

from __future__ import annotations

from tallystick.records.cohort.cohort import CohortTask
from tallystick.records.cohort.verification_result import VerificationResult
from tallystick.records.cohort.vocabulary import AttemptOutcome, Recommendation, VerificationStatus
from tallystick.suites.cohorts.counted import Counted
from tallystick.suites.cohorts.names import alike
from tallystick.suites.cohorts.negatives import CANONICAL
from tallystick.suites.cohorts.reporting import Code, Said
from tallystick.suites.cohorts.strict_attempts import attestation_drift, dates_problem

__all__ = ["negative_problems"]


def negative_problems(task: CohortTask, result: VerificationResult | None, counted: Counted) -> Said:
    """Everything that is wrong with the evidence of a negative; `result` is None where it is no VerificationResult."""
    yield from _counted_twice(task, counted)
    if result is None:
        if task.negative_case.expected_category in CANONICAL:
            yield Code.NEGATIVE_TYPE, "canonical negative category requires VerificationResult evidence"
        return
    yield from _rejected(result)
    yield from _bound(task, result)
    yield from attestation_drift("the negative's verifier", result)
    yield from dates_problem("the negative's verifier", result.started_at, result.finished_at)
    if alike(result.verifier_id, result.worker_id_observed):
        yield Code.VERIFIER_IS_WORKER, f"the negative's verifier {result.verifier_id!r} is its worker"


def _counted_twice(task: CohortTask, counted: Counted) -> Said:
    digest = task.negative_case.evidence_digest or ""
    if digest in counted.negatives:
        yield Code.NEGATIVE_COUNTED_TWICE, "the same negative evidence is counted for another task too"
    if digest in counted.results:
        yield Code.NEGATIVE_COUNTED_TWICE, "the negative evidence is the VerificationResult of an attempt"
    counted.negatives.add(digest)


def _rejected(result: VerificationResult) -> Said:
    """Being unsure about a wrong answer is not refusing it."""
    if result.recommendation != Recommendation.REJECT_CANDIDATE:
        yield Code.NEGATIVE_NOT_REJECTED, f"the negative was to be rejected, and the verifier says {result.recommendation}"
    elif result.status == VerificationStatus.PASSED:
        yield Code.VERDICT_CONTRADICTS_STATUS, "the negative is rejected, and its verification passed"


def _bound(task: CohortTask, result: VerificationResult) -> Said:
    wanted = {
        "WorkUnit id": (result.work_unit_id, task.work_unit.id),
        "WorkUnit version": (result.work_unit_version, task.work_unit.version),
        "WorkUnit digest": (result.work_unit_digest, task.work_unit.digest),
        "source revision": (result.source_revision, task.revision),
        "EvaluatorPlan digest": (result.verifier_config_digest, task.evaluator.plan_digest),
    }
    for what, (said, should) in wanted.items():
        if said != should:
            yield Code.NEGATIVE_OF_ANOTHER_TASK, f"the negative evidence names another {what} than the task"
    accepted = [each for each in task.attempts if each.outcome == AttemptOutcome.SUPPORT]
    for attempt in accepted:
        manifest = attempt.result_manifest
        if result.result_manifest_digest == manifest.digest or result.result_manifest_id == manifest.id:
            message = f"the negative evidence rejects the very ResultManifest that {attempt.attempt_id} counts as supported"
            yield Code.NEGATIVE_NAMES_ACCEPTED_ATTEMPT, message
