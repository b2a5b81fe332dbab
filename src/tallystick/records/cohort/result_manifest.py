"""ResultManifest, version 0.1: what a worker says of its own attempt. It is a claim, not a verdict."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tallystick.core.pyjson import Json
from tallystick.records.cohort import shapes as s
from tallystick.records.cohort.reading import Node, Whole, node
from tallystick.records.cohort.vocabulary import CandidateStatus, LogType

__all__ = ["RESULT_MANIFEST", "Artifact", "Log", "ResultManifest", "parse_result_manifest"]

_ARTIFACTS: Final = ("patch", "file", "report", "test_result", "dataset", "decision", "review", "log", "other")
_MEANINGS: Final = ("probability_of_success", "subjective", "uncalibrated")

_WORKER: Final = s.closed(
    {"id": s.FILLED, "type": s.choice(("human", "agent", "system", "hybrid")), "adapter": s.FILLED},
    {"adapter_version": s.TEXT, "model": s.MODEL},
)
_ARTIFACT: Final = s.closed(
    {"id": s.FILLED, "type": s.choice(_ARTIFACTS), "locator": s.FILLED, "digest": s.DIGEST_CLOSED},
    {"media_type": s.TEXT, "description": s.TEXT},
)
_LOG: Final = s.closed({"type": s.choice(LogType), "locator": s.FILLED}, {"digest": s.DIGEST_CLOSED})
_SELF_REPORT: Final = s.closed(
    {"summary": s.TEXT, "claims": s.array(s.TEXT)},
    {"confidence": s.closed({"value": {**s.AMOUNT, "maximum": 1}, "meaning": s.choice(_MEANINGS)})},
)
_PROVENANCE: Final = s.closed(
    {"work_unit_digest": s.DIGEST_CLOSED, "source_revision": s.FILLED, "environment": s.ENVIRONMENT},
    {"worker_config_digest": s.DIGEST_CLOSED},
)
_REQUEST: Final = s.closed(
    {
        "expected_validator_ids": s.array(s.TEXT, unique=True),
        "evidence_artifact_ids": s.array(s.TEXT, unique=True),
    },
    {"notes": s.TEXT},
)

RESULT_MANIFEST: Final = s.document(
    "ResultManifest, version 0.1",
    "A worker's account of one attempt at a WorkUnit: what it made, what it used, and what it claims.",
    s.closed(
        {
            "schema_version": s.const("0.1"),
            "id": s.IDENTIFIER_CLOSED,
            "work_unit_id": s.FILLED,
            "work_unit_version": s.WHOLE,
            "attempt": s.WHOLE,
            "worker": _WORKER,
            "status": s.choice(CandidateStatus),
            "started_at": s.DATE_TIME,
            "finished_at": s.DATE_TIME,
            "produced_artifacts": s.array(_ARTIFACT),
            "logs": s.array(_LOG),
            "metrics": s.METRICS,
            "resources": s.RESOURCES,
            "self_report": _SELF_REPORT,
            "provenance": _PROVENANCE,
            "verification_request": _REQUEST,
        },
        {"extensions": s.EXTENSIONS},
    ),
)


@dataclass(frozen=True, slots=True)
class Artifact:
    """A file that a worker made; the digest is of its bytes."""

    id: str
    type: str
    locator: str
    digest: str


@dataclass(frozen=True, slots=True)
class Log:
    """A log of a worker."""

    type: LogType
    locator: str
    digest: str | None


@dataclass(frozen=True, slots=True)
class ResultManifest:
    """What a cohort reads of a worker's account; `value` is the whole document, of which the digest is made."""

    value: Node
    id: str
    work_unit_id: str
    work_unit_version: Whole
    attempt: Whole
    worker_id: str
    status: CandidateStatus
    started_at: str
    finished_at: str
    produced_artifacts: tuple[Artifact, ...]
    logs: tuple[Log, ...]
    resources: Node
    work_unit_digest: str
    source_revision: str
    expected_validator_ids: frozenset[str]
    evidence_artifact_ids: tuple[str, ...]
    extensions: Node


def parse_result_manifest(value: Json) -> ResultManifest:
    """Read a document that `check` found no offence in; any other raises KeyError, TypeError or ValueError."""
    top = node(value)
    provenance, request = top["provenance"], top["verification_request"]
    return ResultManifest(
        value=top,
        id=top["id"],
        work_unit_id=top["work_unit_id"],
        work_unit_version=top["work_unit_version"],
        attempt=top["attempt"],
        worker_id=top["worker"]["id"],
        status=CandidateStatus(top["status"]),
        started_at=top["started_at"],
        finished_at=top["finished_at"],
        produced_artifacts=tuple(map(_artifact, top["produced_artifacts"])),
        logs=tuple(Log(LogType(each["type"]), each["locator"], each.get("digest")) for each in top["logs"]),
        resources=top["resources"],
        work_unit_digest=provenance["work_unit_digest"],
        source_revision=provenance["source_revision"],
        expected_validator_ids=frozenset(request["expected_validator_ids"]),
        evidence_artifact_ids=tuple(request["evidence_artifact_ids"]),
        extensions=top.get("extensions", {}),
    )


def _artifact(artifact: Node) -> Artifact:
    return Artifact(artifact["id"], artifact["type"], artifact["locator"], artifact["digest"])
