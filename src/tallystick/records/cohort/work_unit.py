"""WorkUnit, version 0.2: what a worker is asked for, within which limits, and which validators decide."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tallystick.core.pyjson import Json
from tallystick.records.cohort import shapes as s
from tallystick.records.cohort.reading import Node, Whole, node

__all__ = ["WORK_UNIT", "WorkUnit", "parse_work_unit"]

_TEXTS: Final = s.array(s.TEXT, unique=True)
_NAMES: Final = s.array(s.FILLED, unique=True)

_KINDS: Final = "coding testing review benchmarking documentation research integration governance other"
_INPUTS: Final = "file directory git_ref dataset url text json other"
_OUTPUTS: Final = "patch file report test_result dataset decision review other"
_VALIDATORS: Final = "test review schema lint security formal reproduction benchmark other"
_EVIDENCE: Final = "test_output review benchmark citation trace attestation artifact_hash other"


def _words(text: str) -> s.Schema:
    return s.choice(text.split())


_CONTEXT: Final = s.closed({}, {"summary": s.TEXT, "references": _TEXTS, "max_context_bytes": s.COUNT})
_INPUT: Final = s.closed({"id": s.FILLED, "type": _words(_INPUTS), "locator": s.TEXT}, {"digest": s.DIGEST})
_OUTPUT: Final = s.closed(
    {"id": s.FILLED, "type": _words(_OUTPUTS), "description": s.FILLED},
    {"media_type": s.TEXT},
)
_DEPENDENCY: Final = s.closed(
    {"work_unit_id": s.FILLED, "relationship": _words("requires blocks informs validates derived_from")},
    {"condition": s.TEXT},
)
_REQUIREMENTS: Final = s.closed(
    {
        "capabilities": _NAMES,
        "resources": s.closed(
            {"cpu_cores_min": s.AMOUNT, "memory_mb_min": s.COUNT, "gpu": _words("none optional required")},
            {"disk_mb_min": s.COUNT, "accelerator_capabilities": _NAMES},
        ),
    }
)
_CONSTRAINTS: Final = s.closed(dict.fromkeys(("allowed_paths", "forbidden_paths", "policies"), _TEXTS))
_UNCERTAINTY: Final = s.closed(
    {"statement": s.FILLED},
    {"confidence": {**s.AMOUNT, "maximum": 1}, "resolution_strategy": s.TEXT},
)
_SECURITY: Final = s.closed(
    {
        "risk_class": _words("low medium high critical"),
        "data_classification": _words("public internal confidential restricted"),
        "minimum_worker_trust": _words("untrusted identified trusted attested"),
        "sandbox_required": s.BOOLEAN,
    },
    {"notes": s.TEXT},
)
_PERMISSIONS: Final = s.closed(
    {
        "network": _words("none allowlist unrestricted"),
        "filesystem_write": _TEXTS,
        "secrets": _TEXTS,
        "process_execution": s.BOOLEAN,
    },
    {"network_allowlist": _NAMES},
    s.when(
        "network",
        s.const("allowlist"),
        {"required": ["network_allowlist"], "properties": {"network_allowlist": {"minItems": 1}}},
        absent_too=True,
    ),
)
_POLICY: Final = s.closed(
    {
        "strategy": _words("all_required quorum threshold custom"),
        "independent_from_worker": s.BOOLEAN,
        "minimum_independent_verifiers": s.COUNT,
    },
    {"quorum": s.WHOLE, "acceptance_rule": s.TEXT},
    s.when("strategy", s.const("quorum"), {"required": ["quorum"]}, absent_too=True),
)
_VALIDATOR: Final = s.closed(
    {"id": s.FILLED, "type": _words(_VALIDATORS), "required": s.BOOLEAN},
    {"command": s.array(s.TEXT, 1), "description": s.TEXT},
)
_WANTED: Final = s.closed({"type": _words(_EVIDENCE), "required": s.BOOLEAN}, {"description": s.TEXT})
_BUDGET: Final = s.closed(
    {"project_spend_usd_max": s.AMOUNT, "paid_fallback_allowed": s.BOOLEAN},
    {"wall_seconds": s.AMOUNT, "compute_units": s.AMOUNT, "human_minutes": s.AMOUNT, "tokens": s.COUNT},
)
_PROVENANCE: Final = s.closed(
    {"created_by": s.FILLED, "creator_type": _words("human agent hybrid system"), "source": s.FILLED},
    {"source_revision": s.TEXT, "created_at": s.DATE_TIME, "parent_work_unit_ids": _TEXTS},
)
_FAILURE: Final = s.closed(
    {
        "retryable": s.BOOLEAN,
        "max_attempts": s.WHOLE,
        "on_failure": _words("stop retry replan escalate continue_degraded"),
    }
)

WORK_UNIT: Final = s.document(
    "WorkUnit, version 0.2",
    "One bounded piece of work: what goes in, what is to come out, what may be touched, and who checks it.",
    s.closed(
        {
            "schema_version": s.const("0.2"),
            "id": s.IDENTIFIER,
            "version": s.WHOLE,
            "kind": _words(_KINDS),
            "objective": s.FILLED,
            "inputs": s.array(_INPUT),
            "outputs": s.array(_OUTPUT, 1),
            "dependencies": s.array(_DEPENDENCY),
            "requirements": _REQUIREMENTS,
            "constraints": _CONSTRAINTS,
            "uncertainty": s.array(_UNCERTAINTY),
            "security": _SECURITY,
            "permissions": _PERMISSIONS,
            "verification_policy": _POLICY,
            "validators": s.array(_VALIDATOR, 1),
            "evidence_requirements": s.array(_WANTED, 1),
            "budget": _BUDGET,
            "provenance": _PROVENANCE,
            "failure_semantics": _FAILURE,
        },
        {"context": _CONTEXT, "extensions": s.EXTENSIONS},
    ),
)


@dataclass(frozen=True, slots=True)
class WorkUnit:
    """What a cohort reads of a WorkUnit; `value` is the whole document, of which the digest is made."""

    value: Node
    id: str
    version: Whole
    kind: str
    source_revision: str | None
    required_validator_ids: frozenset[str]
    extensions: Node


def parse_work_unit(value: Json) -> WorkUnit:
    """Read a document that `check` found no offence in; any other raises KeyError or TypeError."""
    top = node(value)
    return WorkUnit(
        value=top,
        id=top["id"],
        version=top["version"],
        kind=top["kind"],
        source_revision=top["provenance"].get("source_revision"),
        required_validator_ids=frozenset(each["id"] for each in top["validators"] if each["required"]),
        extensions=top.get("extensions", {}),
    )
