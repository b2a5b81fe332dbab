"""EvaluatorPlan: what judges the answers to one WorkUnit.

Versions 0.2 to 0.4 look at diffs; `tallystick-0.1` runs a task's grader.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tallystick.core.digest import Digest
from tallystick.core.pyjson import Json
from tallystick.records.cohort import shapes as s
from tallystick.records.cohort.reading import Node, Whole, node
from tallystick.records.cohort.vocabulary import EvaluatorVisibility, LogType

__all__ = [
    "OWN_PLAN",
    "OWN_VERSION",
    "PLAN_0_2",
    "PLAN_0_3",
    "PLAN_0_4",
    "EvaluatorPlan",
    "TallystickBackend",
    "parse_evaluator_plan",
]

OWN_VERSION: Final = "tallystick-0.1"

_SUBSTRINGS: Final = s.array(s.FILLED, 1, unique=True)


def _binding(digest: s.Schema) -> s.Schema:
    return s.closed(
        {
            "work_unit_id": s.FILLED,
            "work_unit_version": s.WHOLE,
            "work_unit_digest": digest,
            "source_revision": s.FILLED,
        }
    )


def _verifier(adapter_version: str) -> s.Schema:
    return s.closed(
        {
            "id": s.const("idkmesh-local-verifier"),
            "type": s.const("system"),
            "adapter": s.const("deterministic-patch-verifier"),
            "adapter_version": s.const(adapter_version),
        }
    )


def _diff_backend(*texts: str) -> s.Schema:
    return s.closed(
        {
            "type": s.const("unified_diff"),
            "max_candidate_bytes": s.WHOLE,
            "max_log_bytes": s.WHOLE,
            "required_log_types": s.array(s.choice(LogType), 1, unique=True),
            **dict.fromkeys(texts, _SUBSTRINGS),
            "require_nonempty_patch": s.TRUE,
            "verify_log_digests": s.TRUE,
        }
    )


_POLICY: Final = s.closed(
    {
        "require_plan_outside_candidate_root": s.TRUE,
        "require_output_outside_candidate_root": s.TRUE,
        "require_verifier_distinct_from_worker": s.TRUE,
    }
)


@dataclass(frozen=True, slots=True)
class _Version:
    """In what the three versions differ."""

    schema_version: str
    adapter_version: str
    texts: tuple[str, ...]
    about: str
    identifier: s.Schema
    digest: s.Schema


def _diff_plan(version: _Version) -> s.Schema:
    return s.document(
        f"EvaluatorPlan, version {version.schema_version}",
        f"A verifier's plan for a diff that answers one WorkUnit: {version.about}.",
        s.closed(
            {
                "schema_version": s.const(version.schema_version),
                "id": version.identifier,
                "binding": _binding(version.digest),
                "visibility": s.choice(EvaluatorVisibility),
                "execution_mode": s.const("metadata_only"),
                "verifier": _verifier(version.adapter_version),
                "required_validator_ids": _SUBSTRINGS,
                "candidate_artifact_id": s.FILLED,
                "backend": _diff_backend(*version.texts),
                "policy": _POLICY,
            },
            {"extensions": s.EXTENSIONS},
        ),
    )


PLAN_0_2: Final = _diff_plan(
    _Version("0.2", "0.1.1", ("required_added_text",), "certain lines are added", s.IDENTIFIER, s.DIGEST)
)
PLAN_0_3: Final = _diff_plan(
    _Version(
        "0.3",
        "0.2.0",
        ("required_added_substrings",),
        "certain texts stand in added lines",
        s.IDENTIFIER_CLOSED,
        s.DIGEST_CLOSED,
    )
)
PLAN_0_4: Final = _diff_plan(
    _Version(
        "0.4",
        "0.3.0",
        ("required_added_substrings", "required_removed_substrings"),
        "certain texts stand in added lines, and others in removed ones",
        s.IDENTIFIER,
        s.DIGEST,
    )
)
OWN_PLAN: Final = s.document(
    f"EvaluatorPlan, version {OWN_VERSION}",
    "A plan of Tallystick's own: the grader of one task is run on the submitted files in a sandbox.",
    s.closed(
        {
            "schema_version": s.const(OWN_VERSION),
            "id": s.IDENTIFIER_CLOSED,
            "binding": _binding(s.DIGEST_CLOSED),
            "required_validator_ids": _SUBSTRINGS,
            "backend": s.closed(
                {
                    "type": s.const("tallystick_task"),
                    "task_hash": s.DIGEST_CLOSED,
                    "grader": {"anyOf": [s.DIGEST_CLOSED, {"type": "null"}]},
                    "sandbox_policy": s.FILLED,
                }
            ),
            "execution_mode": s.const("sandboxed_execution"),
            "verifier": s.closed({"id": s.FILLED, "adapter_version": s.FILLED}),
        }
    ),
)


@dataclass(frozen=True, slots=True)
class TallystickBackend:
    """The grader of a task of ours; `grader` is the digest of its files' tree, if it has files."""

    task_hash: Digest
    grader: Digest | None
    sandbox_policy: str


@dataclass(frozen=True, slots=True)
class EvaluatorPlan:
    """What a cohort reads of a plan; `value` is the whole document, of which the digest is made.

    `tallystick` is there exactly in plans of version `tallystick-0.1`.
    """

    value: Node
    schema_version: str
    id: str
    work_unit_id: str
    work_unit_version: Whole
    work_unit_digest: str
    source_revision: str
    required_validator_ids: frozenset[str]
    backend_type: str
    tallystick: TallystickBackend | None


def parse_evaluator_plan(value: Json) -> EvaluatorPlan:
    """Read a document of any version that `check` found no offence in; any other raises KeyError or TypeError."""
    top = node(value)
    return EvaluatorPlan(
        value=top,
        schema_version=top["schema_version"],
        id=top["id"],
        **top["binding"],
        required_validator_ids=frozenset(top["required_validator_ids"]),
        backend_type=top["backend"]["type"],
        tallystick=_own_backend(top["backend"]) if top["schema_version"] == OWN_VERSION else None,
    )


def _own_backend(backend: Node) -> TallystickBackend:
    return TallystickBackend(backend["task_hash"], backend["grader"], backend["sandbox_policy"])
