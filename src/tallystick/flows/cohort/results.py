"""The VerificationResult of an attempt: what was found when it was graded again here. Decision support, never a decision.

Shapes: docs/spec/cohort-documents.md.
"""

from __future__ import annotations

import platform
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Final

import tallystick
from tallystick.core.digest import Digest, sha256
from tallystick.core.pyjson import Json, digest
from tallystick.flows.cohort.attempts import (
    ARTIFACTS,
    AUTHORITY_KEY,
    UNSIGNED,
    OpenAttempt,
    Witness,
    instant,
    stamp,
    worker_name,
)
from tallystick.records.base import UNSET
from tallystick.records.cohort.cohort import AUTHORITY
from tallystick.records.cohort.reading import EXTENSION
from tallystick.records.cohort.vocabulary import (
    CheckStatus,
    FindingCategory,
    Recommendation,
    VerificationStatus,
)
from tallystick.suites.cohorts.from_tasks import VALIDATORS, VERIFIER, VERIFIER_VERSION
from tallystick.suites.cohorts.labels import category_of

__all__ = ["make_result"]

_MANIFEST: Final = "result-manifest.json"
_RECOMMENDED: Final[Mapping[str, tuple[Recommendation, VerificationStatus]]] = {
    "passed": (Recommendation.ACCEPT_CANDIDATE, VerificationStatus.PASSED),
    "failed": (Recommendation.REJECT_CANDIDATE, VerificationStatus.FAILED),
    "infra_error": (Recommendation.INSUFFICIENT_EVIDENCE, VerificationStatus.INCONCLUSIVE),
    "refused": (Recommendation.INSUFFICIENT_EVIDENCE, VerificationStatus.INCONCLUSIVE),
}


def make_result(attempt: OpenAttempt, witness: Witness, manifest: dict[str, Json]) -> dict[str, Json]:
    """The result, without its attestation. Errors as `manifests.make_manifest`."""
    recommended, status = _RECOMMENDED[attempt.result.harness_output.outcome]
    worker, bound = attempt.worker, attempt.bound
    verifier = f"key/{witness.signer.public.kid}"
    ended = datetime.fromtimestamp(witness.now, UTC)
    began = max(ended - timedelta(seconds=float(witness.took)), instant(attempt.bundle.submitted_at, witness.now))
    return {
        "schema_version": "0.1",
        "id": f"{bound.id}/verification",
        "result_manifest_id": bound.id,
        "work_unit_id": bound.work_unit_id,
        "work_unit_version": bound.work_unit_version,
        "attempt": bound.ordinal,
        "verifier": {"id": verifier, "type": "system", "adapter": VERIFIER, "adapter_version": VERIFIER_VERSION},
        "independence": {
            "independent_from_worker": worker_name(attempt.bundle) not in {verifier, UNSIGNED},
            "worker_id_observed": worker,
            "shared_model_family": False,
            "shared_runtime": attempt.bundle.harness.version == tallystick.__version__,
            "correlation_notes": "Graded again by another key, without a model. Two keys can be one person's.",
        },
        "status": status.value,
        "started_at": stamp(began),
        "finished_at": stamp(ended),
        "checks": list(_checks(attempt)),
        "evidence": list(_evidence(attempt, manifest)),
        "findings": list(_findings(attempt)),
        "metrics": _metrics(attempt),
        "resources": {"wall_seconds": float(witness.took)},
        "provenance": {
            "result_manifest_digest": digest(manifest),
            "work_unit_digest": bound.work_unit_digest,
            "source_revision": bound.revision,
            "verifier_config_digest": bound.plan_digest,
            "environment": {
                "python": platform.python_version(),
                "tool_versions": {"tallystick": tallystick.__version__},
            },
        },
        "decision_support": {
            "recommendation": recommended.value,
            "confidence": 1.0 if recommended is not Recommendation.INSUFFICIENT_EVIDENCE else 0.0,
            "rationale": _RATIONALE[recommended],
        },
        "extensions": {
            AUTHORITY_KEY: dict.fromkeys(AUTHORITY, False),
            EXTENSION: {"bundle_hash": attempt.bundle.bundle_hash, "level": "regraded"},
        },
    }


_RATIONALE: Final[Mapping[Recommendation, str]] = {
    Recommendation.ACCEPT_CANDIDATE: "Graded again, every assertion of the task holds. Accepting is somebody else's decision.",
    Recommendation.REJECT_CANDIDATE: "Graded again, assertions of the task do not hold, or a limit ended the attempt.",
    Recommendation.INSUFFICIENT_EVIDENCE: "The attempt never came to a grade, so nothing follows about its candidate.",
}


def _metrics(attempt: OpenAttempt) -> dict[str, Json]:
    if attempt.bound.hidden:
        return {}
    output = attempt.result.harness_output
    return {
        "assertions": output.assertions,
        "assertions_failed": len(output.failed),
        "score": float(attempt.result.score),
    }


_CHECKED: Final[Mapping[str, CheckStatus]] = {"passed": CheckStatus.PASSED, "failed": CheckStatus.FAILED}
"""How the check of a grade ended, by the outcome of an attempt that came to one."""


def _checks(attempt: OpenAttempt) -> Iterator[Json]:
    output = attempt.result.harness_output
    graded = output.outcome in _CHECKED
    yield _check(
        VALIDATORS[0], "schema", CheckStatus.PASSED, "The ResultManifest is bound to its WorkUnit and bundle.", ["manifest"]
    )
    said = _CHECKED.get(output.outcome, CheckStatus.INCONCLUSIVE)
    yield _check(VALIDATORS[1], "test", said, _RATIONALE[_RECOMMENDED[output.outcome][0]], _grade_ids(attempt))
    if graded and not attempt.bound.hidden:
        for check in attempt.task.assertions:
            holds = CheckStatus.FAILED if check.id in output.failed else CheckStatus.PASSED
            kind = str(check.__struct_config__.tag)
            yield _check(f"assertion/{check.id}", "test", holds, f"{kind}: {holds}", _grade_ids(attempt))


def _check(name: str, kind: str, status: CheckStatus, summary: str, evidence: list[Json]) -> Json:
    return {"id": name, "type": kind, "required": True, "status": status.value, "summary": summary, "evidence_ids": evidence}


def _grade_ids(attempt: OpenAttempt) -> list[Json]:
    found: list[Json] = [name for name in ("receipt", "grade") if f"{name}.json" in attempt.files]
    return found or ["manifest"]


def _evidence(attempt: OpenAttempt, manifest: dict[str, Json]) -> Iterator[Json]:
    """Every file by its digest; of the manifest the digest is that of its canonical form, as everywhere in a cohort."""
    yield _proof("manifest", "attestation", _MANIFEST, digest(manifest))
    for name, kind in (("candidate.patch", "artifact_hash"), ("receipt.json", "trace"), ("grade.json", "test_output")):
        if name in attempt.files:
            yield _proof(ARTIFACTS.get(name, "grade"), kind, name, sha256(attempt.files[name]))


def _proof(name: str, kind: str, locator: str, found: Digest) -> Json:
    media = "text/x-diff" if locator.endswith(".patch") else "application/json"
    return {"id": name, "type": kind, "locator": locator, "digest": found, "media_type": media}


def _findings(attempt: OpenAttempt) -> Iterator[Json]:
    output = attempt.result.harness_output
    failed = [check for check in attempt.task.assertions if check.id in output.failed]
    if attempt.bound.hidden:
        for category in dict.fromkeys(category_of(check).value for check in failed):
            yield _finding("high", category, "An assertion of the hidden evaluator does not hold.")
    else:
        for check in failed:
            yield _finding("high", category_of(check).value, f"The assertion {check.id} does not hold.")
    if output.limit is not UNSET:
        yield _finding("high", FindingCategory.PERFORMANCE.value, f"The limit on {output.limit} ended the attempt.")
    if output.cause is not UNSET:
        yield _finding("info", FindingCategory.OTHER.value, f"No grade: {output.cause}.")


def _finding(severity: str, category: str, summary: str) -> Json:
    return {"severity": severity, "category": category, "summary": summary}
