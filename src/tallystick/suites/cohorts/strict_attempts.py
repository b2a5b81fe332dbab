"""Step 18: an attempt is counted once, was judged by somebody else, and its verdict follows from its checks and its files."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from math import isfinite
from typing import Final

from tallystick.core.digest import Digest
from tallystick.core.limits import COHORT_ARTIFACTS
from tallystick.records.cohort.cohort import CohortTask
from tallystick.records.cohort.result_manifest import ResultManifest
from tallystick.records.cohort.verification_result import VerificationResult
from tallystick.records.cohort.vocabulary import (
    CandidateStatus,
    CheckStatus,
    Recommendation,
    VerificationStatus,
)
from tallystick.suites.cohorts.attempts import Pair
from tallystick.suites.cohorts.counted import Counted, counted_twice
from tallystick.suites.cohorts.files import FileRefusedError, Files, folder_of
from tallystick.suites.cohorts.names import alike
from tallystick.suites.cohorts.reporting import Code, Said
from tallystick.trust.attested import attestation_problem

__all__ = [
    "SIGNATURE_EXTENSIONS",
    "Artifacts",
    "attestation_drift",
    "dates_problem",
    "instant",
    "pair_problems",
]

SIGNATURE_EXTENSIONS: Final = ("org.idkmesh.benchmark.structural_signature", "tallystick.structural_signature")
"""Extensions of a ResultManifest under which its worker records the structure that it had."""
_KEY: Final = "key/"
"""Begins the name of a verifier that is named by its key's thumbprint."""


@dataclass(slots=True)
class Artifacts:
    """Digests of the files that manifests name; a file is read once, however often it is named."""

    files: Files
    known: dict[str, Digest | FileRefusedError] = field(default_factory=dict)

    def digest(self, path: str, label: str) -> Digest:
        """The digest of a file.

        Raises:
            FileRefusedError: it cannot be had.
        """
        if path not in self.known:
            try:
                self.known[path] = self.files.digest(path, label)
            except FileRefusedError as error:
                self.known[path] = error
        found = self.known[path]
        if isinstance(found, FileRefusedError):
            raise found
        return found


def pair_problems(task: CohortTask, pair: Pair, counted: Counted, artifacts: Artifacts) -> Said:
    """Everything that is wrong with one attempt."""
    yield from counted_twice(task, pair, counted)
    yield from _signature(pair)
    yield from _independence(pair)
    yield from attestation_drift("the verifier", pair.result)
    yield from _verdict(pair)
    yield from _evidence(pair)
    yield from _dates(pair)
    yield from _artifacts(pair, artifacts)
    yield from _metrics(task, pair)


def _signature(pair: Pair) -> Said:
    """The structure under which an attempt counts is the one that its worker recorded."""
    recorded = {pair.manifest.extensions[name] for name in SIGNATURE_EXTENSIONS if _is_text(pair.manifest, name)}
    if not recorded:
        yield Code.SIGNATURE_DRIFT, f"the ResultManifest records no structural signature ({SIGNATURE_EXTENSIONS[0]})"
    elif recorded != {pair.attempt.structural_signature}:
        listed = ", ".join(sorted(map(repr, recorded)))
        counted = pair.attempt.structural_signature
        yield Code.SIGNATURE_DRIFT, f"the ResultManifest records the signature {listed}, the attempt counts as {counted!r}"


def _is_text(manifest: ResultManifest, name: str) -> bool:
    return isinstance(manifest.extensions.get(name), str)


def _independence(pair: Pair) -> Said:
    """Whoever judges is not whoever worked, and looked at this worker's attempt."""
    manifest, result = pair.manifest, pair.result
    if alike(result.verifier_id, manifest.worker_id):
        yield Code.VERIFIER_IS_WORKER, f"the verifier {result.verifier_id!r} is the worker"
    if result.worker_id_observed != manifest.worker_id:
        message = f"the verifier observed the worker {result.worker_id_observed!r}, the manifest is of {manifest.worker_id!r}"
        yield Code.OBSERVED_WORKER_DRIFT, message
    if result.attempt != manifest.attempt:
        yield Code.ATTEMPT_NUMBER_DRIFT, f"the manifest is of attempt {manifest.attempt}, the verification of {result.attempt}"


def attestation_drift(who: str, result: VerificationResult) -> Said:
    """Whoever goes by the name of a key has signed with it; verifiers of other names may have attestations of other kinds."""
    if not result.verifier_id.startswith(_KEY):
        return
    problem = attestation_problem(result.value)
    if problem is not None:
        yield Code.ATTESTATION_BROKEN, f"{who} is {result.verifier_id!r}, and its attestation does not stand: {problem}"
    elif result.verifier_id != f"{_KEY}{result.value['attestation']['signer_id']}":
        yield Code.ATTESTATION_BROKEN, f"{who} is {result.verifier_id!r}, and another key signed the result"


def _verdict(pair: Pair) -> Said:
    """A recommendation is what status and checks say."""
    result = pair.result
    if result.recommendation == Recommendation.REJECT_CANDIDATE:
        if result.status == VerificationStatus.PASSED:
            yield Code.VERDICT_CONTRADICTS_STATUS, "the candidate is rejected, and the verification passed"
        return
    if result.recommendation != Recommendation.ACCEPT_CANDIDATE:
        return
    if result.status != VerificationStatus.PASSED:
        yield Code.VERDICT_CONTRADICTS_STATUS, f"the candidate is accepted, and the verification ended as {result.status}"
    if pair.manifest.status != CandidateStatus.SUCCEEDED:
        yield Code.VERDICT_CONTRADICTS_STATUS, f"the candidate is accepted, and its worker ended as {pair.manifest.status}"
    required = pair.unit.required_validator_ids
    for check in result.checks:
        if (check.required or check.id in required) and check.status != CheckStatus.PASSED:
            message = f"the candidate is accepted, and the required check {check.id!r} is {check.status}"
            yield Code.VERDICT_CONTRADICTS_CHECKS, message
    missing = required - {check.id for check in result.checks}
    for name in sorted(missing):
        yield Code.REQUIRED_CHECK_MISSING, f"the candidate is accepted without the check {name!r}, which the WorkUnit requires"


def _evidence(pair: Pair) -> Said:
    """What checks and requests point at is there."""
    there = {item.id for item in pair.result.evidence}
    for check in pair.result.checks:
        for name in check.evidence_ids:
            if name not in there:
                yield Code.EVIDENCE_UNRESOLVED, f"the check {check.id!r} points at evidence {name!r}, which is not there"
    made = {artifact.id for artifact in pair.manifest.produced_artifacts}
    for name in pair.manifest.evidence_artifact_ids:
        if name not in made:
            yield Code.EVIDENCE_UNRESOLVED, f"the manifest offers the artifact {name!r}, which it does not list"


def _dates(pair: Pair) -> Said:
    yield from dates_problem("the worker", pair.manifest.started_at, pair.manifest.finished_at)
    yield from dates_problem("the verifier", pair.result.started_at, pair.result.finished_at)
    if instant(pair.result.started_at) < instant(pair.manifest.finished_at):
        yield Code.DATES_OUT_OF_ORDER, "the verification began before the worker had finished"


def dates_problem(who: str, started: str, finished: str) -> Said:
    """Nobody finishes before beginning."""
    if instant(finished) < instant(started):
        yield Code.DATES_OUT_OF_ORDER, f"{who} finished before beginning"


def instant(text: str) -> datetime:
    """The time that a `date-time` names."""
    return datetime.fromisoformat(text.strip().upper())


def _artifacts(pair: Pair, artifacts: Artifacts) -> Said:
    """The files that a worker made and wrote are there, with the bytes that the manifest names."""
    named = [(f"artifact {item.id!r}", item.locator, item.digest) for item in pair.manifest.produced_artifacts]
    named += [(f"log {item.type}", item.locator, item.digest or "") for item in pair.manifest.logs]
    if len(named) > COHORT_ARTIFACTS:
        yield Code.ARTIFACT_MISSING, f"the manifest names {len(named)} files; at most {COHORT_ARTIFACTS} are read"
    seen: dict[str, str] = {}
    for what, locator, digest in named[:COHORT_ARTIFACTS]:
        if "://" in locator:
            yield Code.ARTIFACT_MISSING, f"the {what} is not a file beside the manifest: {locator!r}"
            continue
        path = folder_of(pair.attempt.result_manifest.path, locator)
        try:
            seen[locator] = artifacts.digest(path, what)
        except FileRefusedError as error:
            yield Code.ARTIFACT_MISSING, str(error)
            continue
        if not digest:
            yield Code.ARTIFACT_CHANGED, f"the {what} has no digest, so its bytes can be any"
        elif seen[locator] != digest:
            yield Code.ARTIFACT_CHANGED, f"the {what} has other bytes than the manifest names: {path}"
    for item in pair.result.evidence:
        if item.type == "artifact_hash" and seen.get(item.locator, item.digest) != item.digest:
            yield Code.ARTIFACT_CHANGED, f"the verifier saw other bytes of {item.locator} than lie there"


def _metrics(task: CohortTask, pair: Pair) -> Said:
    """What has to be measured is a number wherever it stands."""
    for metric in task.required_metrics:
        for resources in (pair.manifest.resources, pair.result.resources):
            if not _is_number(resources.get(metric, 0)):
                yield Code.METRIC_NOT_A_NUMBER, f"the metric {metric} is {resources[metric]!r}"


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)
