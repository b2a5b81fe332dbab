"""VerificationResult, version 0.1: what a verifier found out about one ResultManifest, and what it recommends."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tallystick.core.pyjson import Json
from tallystick.records.cohort import shapes as s
from tallystick.records.cohort.reading import Node, Whole, node
from tallystick.records.cohort.vocabulary import CheckStatus, FindingCategory, Recommendation, VerificationStatus

__all__ = [
    "VERIFICATION_RESULT",
    "CandidateFinding",
    "VerificationCheck",
    "VerificationResult",
    "VerifierEvidence",
    "parse_verification_result",
]

_CHECKS: Final = ("test", "review", "schema", "lint", "security", "formal", "reproduction", "policy", "other")
_EVIDENCE_TYPES: Final = (
    "test_output",
    "review",
    "benchmark",
    "trace",
    "attestation",
    "artifact_hash",
    "static_analysis",
    "security_report",
    "other",
)

_VERIFIER: Final = s.closed(
    {"id": s.FILLED, "type": s.choice(("human", "agent", "system", "hybrid")), "adapter": s.FILLED},
    {"adapter_version": s.TEXT, "model": s.MODEL},
)
_INDEPENDENCE: Final = s.closed(
    {
        "independent_from_worker": s.BOOLEAN,
        "worker_id_observed": s.FILLED,
        "shared_model_family": s.BOOLEAN,
        "shared_runtime": s.BOOLEAN,
    },
    {"correlation_notes": s.TEXT},
)
_CHECK: Final = s.closed(
    {
        "id": s.FILLED,
        "type": s.choice(_CHECKS),
        "required": s.BOOLEAN,
        "status": s.choice(CheckStatus),
        "summary": s.TEXT,
        "evidence_ids": s.array(s.TEXT, unique=True),
    },
    {"diagnostics": s.TEXT},
)
_EVIDENCE: Final = s.closed(
    {"id": s.FILLED, "type": s.choice(_EVIDENCE_TYPES), "locator": s.FILLED, "digest": s.DIGEST},
    {"media_type": s.TEXT, "description": s.TEXT},
)
_FINDING: Final = s.closed(
    {
        "severity": s.choice(("info", "low", "medium", "high", "critical")),
        "category": s.choice(FindingCategory),
        "summary": s.FILLED,
    },
    {"path": s.TEXT, "line": s.WHOLE},
)
_PROVENANCE: Final = s.closed(
    {
        "result_manifest_digest": s.DIGEST,
        "work_unit_digest": s.DIGEST,
        "source_revision": s.FILLED,
        "environment": s.ENVIRONMENT,
    },
    {"verifier_config_digest": s.DIGEST},
)
_DECISION: Final = s.closed(
    {
        "recommendation": s.choice(Recommendation),
        "confidence": {**s.AMOUNT, "maximum": 1},
        "rationale": s.TEXT,
    }
)

VERIFICATION_RESULT: Final = s.document(
    "VerificationResult, version 0.1",
    "A verifier's checks, evidence and recommendation on one ResultManifest. Deciding is somebody else's.",
    s.closed(
        {
            "schema_version": s.const("0.1"),
            "id": s.IDENTIFIER,
            "result_manifest_id": s.FILLED,
            "work_unit_id": s.FILLED,
            "work_unit_version": s.WHOLE,
            "attempt": s.WHOLE,
            "verifier": _VERIFIER,
            "independence": _INDEPENDENCE,
            "status": s.choice(VerificationStatus),
            "started_at": s.DATE_TIME,
            "finished_at": s.DATE_TIME,
            "checks": s.array(_CHECK, 1),
            "evidence": s.array(_EVIDENCE),
            "findings": s.array(_FINDING),
            "metrics": s.METRICS,
            "resources": s.RESOURCES,
            "provenance": _PROVENANCE,
            "decision_support": _DECISION,
        },
        {
            "attestation": s.closed(dict.fromkeys(("signer_id", "algorithm", "signature"), s.FILLED)),
            "extensions": s.EXTENSIONS,
        },
    ),
)


@dataclass(frozen=True, slots=True)
class VerificationCheck:
    """One check and how it ended."""

    id: str
    type: str
    required: bool
    status: CheckStatus
    evidence_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class VerifierEvidence:
    """A file that a check points at; the digest is of its bytes."""

    id: str
    type: str
    locator: str
    digest: str


@dataclass(frozen=True, slots=True)
class CandidateFinding:
    """Something that a verifier holds against a candidate, or notes."""

    severity: str
    category: FindingCategory
    summary: str


@dataclass(frozen=True, slots=True)
class VerificationResult:
    """What a cohort reads of a verifier's account; `value` is the whole document, of which the digest is made."""

    value: Node
    id: str
    result_manifest_id: str
    work_unit_id: str
    work_unit_version: Whole
    attempt: Whole
    verifier_id: str
    independent_from_worker: bool
    worker_id_observed: str
    status: VerificationStatus
    started_at: str
    finished_at: str
    checks: tuple[VerificationCheck, ...]
    evidence: tuple[VerifierEvidence, ...]
    findings: tuple[CandidateFinding, ...]
    resources: Node
    result_manifest_digest: str
    work_unit_digest: str
    source_revision: str
    verifier_config_digest: str | None
    recommendation: Recommendation
    extensions: Node


def parse_verification_result(value: Json) -> VerificationResult:
    """Read a document that `check` found no offence in; any other raises KeyError, TypeError or ValueError."""
    top = node(value)
    independence, provenance = top["independence"], top["provenance"]
    return VerificationResult(
        value=top,
        id=top["id"],
        result_manifest_id=top["result_manifest_id"],
        work_unit_id=top["work_unit_id"],
        work_unit_version=top["work_unit_version"],
        attempt=top["attempt"],
        verifier_id=top["verifier"]["id"],
        independent_from_worker=independence["independent_from_worker"],
        worker_id_observed=independence["worker_id_observed"],
        status=VerificationStatus(top["status"]),
        started_at=top["started_at"],
        finished_at=top["finished_at"],
        checks=tuple(map(_check, top["checks"])),
        evidence=tuple(VerifierEvidence(e["id"], e["type"], e["locator"], e["digest"]) for e in top["evidence"]),
        findings=tuple(map(_finding, top["findings"])),
        resources=top["resources"],
        result_manifest_digest=provenance["result_manifest_digest"],
        work_unit_digest=provenance["work_unit_digest"],
        source_revision=provenance["source_revision"],
        verifier_config_digest=provenance.get("verifier_config_digest"),
        recommendation=Recommendation(top["decision_support"]["recommendation"]),
        extensions=top.get("extensions", {}),
    )


def _check(check: Node) -> VerificationCheck:
    return VerificationCheck(
        check["id"], check["type"], check["required"], CheckStatus(check["status"]), tuple(check["evidence_ids"])
    )


def _finding(finding: Node) -> CandidateFinding:
    return CandidateFinding(finding["severity"], FindingCategory(finding["category"]), finding["summary"])
