"""The documents of a sample, each sound by itself and bound to nothing yet; dates and names are fixed."""

from __future__ import annotations

from typing import Final

from tallystick.core.digest import sha256
from tallystick.records.cohort.reading import Node

__all__ = ["FAMILIES", "PATCH", "SIGNATURES", "attempt", "manifest", "negative", "plan", "result", "task", "unit"]

FAMILIES: Final = ("bug_fix", "test_failure", "bounded_feature", "refactor", "documentation_contract")
SIGNATURES: Final = ("single-worker-v1", "two-workers-v1")
_REPOSITORY: Final = "https://example.org/sample"
_REVISION: Final = "5" * 40
_VALIDATORS: Final = ("manifest-schema", "independent-review")
_ADAPTERS: Final = {"0.2": "0.1.1", "0.3": "0.2.0", "0.4": "0.3.0"}
_TEXTS: Final = {
    "0.2": ("required_added_text",),
    "0.3": ("required_added_substrings",),
    "0.4": ("required_added_substrings", "required_removed_substrings"),
}
PATCH: Final = b"--- a/f\n+++ b/f\n@@ -1 +1 @@\n-old\n+new\n"


def _unbound() -> Node:
    return {"digest": "sha256:" + "0" * 64}


def task(name: str, number: int, paths: dict[str, str], attempts: list[Node]) -> Node:
    """A task of an index, with these attempts and, if there are any, a negative."""
    case: Node = {"description": "A change that breaks what worked.", "expected_category": "regression"}
    if attempts:
        case |= {
            "evidence_status": "verified",
            "evidence_type": "verification_result",
            "evidence_path": paths["negative"],
            "evidence_digest": "sha256:" + "0" * 64,
        }
    else:
        case["evidence_status"] = "pending"
    return {
        "id": name,
        "family": FAMILIES[number % len(FAMILIES)],
        "difficulty": "small",
        "split": "pilot",
        "source": {"repository": _REPOSITORY, "revision": _REVISION},
        "work_unit": {"path": paths["unit"], "id": name, "version": 1, **_unbound()},
        "evaluator": {
            "visibility": "public",
            "plan_id": f"{name}/plan",
            "plan_digest": "sha256:" + "0" * 64,
            "backend": "unified_diff",
            "plan_path": paths["plan"],
        },
        "declared_structural_signatures": list(SIGNATURES),
        "negative_case": case,
        "accounting": {"required_metrics": ["wall_seconds", "tokens"]},
        "evidence": {"status": "verified" if attempts else "pending", "attempts": attempts},
    }


def attempt(index: int, folder: str, name: str) -> Node:
    """An attempt of an index."""
    made = f"{name}/attempt-{index + 1}"
    return {
        "attempt_id": f"attempt-{index + 1}",
        "structural_signature": SIGNATURES[index % len(SIGNATURES)],
        "result_manifest": {"path": f"{folder}/result-manifest.json", "id": made, **_unbound()},
        "verification_result": {"path": f"{folder}/verification-result.json", "id": f"{made}/review", **_unbound()},
        "outcome": "support",
    }


def unit(name: str) -> Node:
    """A WorkUnit."""
    return {
        "schema_version": "0.2",
        "id": name,
        "version": 1,
        "kind": "coding",
        "objective": f"Do what {name} asks.",
        "inputs": [{"id": "source", "type": "git_ref", "locator": _REPOSITORY}],
        "outputs": [{"id": "candidate-patch", "type": "patch", "description": "A patch."}],
        "dependencies": [],
        "requirements": {"capabilities": ["git"], "resources": {"cpu_cores_min": 0.5, "memory_mb_min": 128, "gpu": "none"}},
        "constraints": {"allowed_paths": ["f"], "forbidden_paths": [], "policies": []},
        "uncertainty": [],
        "security": {
            "risk_class": "low",
            "data_classification": "public",
            "minimum_worker_trust": "untrusted",
            "sandbox_required": True,
        },
        "permissions": {"network": "none", "filesystem_write": ["f"], "secrets": [], "process_execution": True},
        "verification_policy": {
            "strategy": "all_required",
            "independent_from_worker": True,
            "minimum_independent_verifiers": 1,
        },
        "validators": [{"id": each, "type": "review", "required": True} for each in _VALIDATORS],
        "evidence_requirements": [{"type": "artifact_hash", "required": True}],
        "budget": {"project_spend_usd_max": 0, "paid_fallback_allowed": False},
        "provenance": {"created_by": "sample", "creator_type": "system", "source": "sample", "source_revision": _REVISION},
        "failure_semantics": {"retryable": False, "max_attempts": 1, "on_failure": "stop"},
    }


def plan(name: str, version: str) -> Node:
    """An EvaluatorPlan of a version."""
    return {
        "schema_version": version,
        "id": f"{name}/plan",
        "visibility": "public",
        "execution_mode": "metadata_only",
        "verifier": {
            "id": "idkmesh-local-verifier",
            "type": "system",
            "adapter": "deterministic-patch-verifier",
            "adapter_version": _ADAPTERS[version],
        },
        "required_validator_ids": list(_VALIDATORS),
        "candidate_artifact_id": "candidate-patch",
        "backend": {
            "type": "unified_diff",
            "max_candidate_bytes": 200000,
            "max_log_bytes": 262144,
            "required_log_types": ["stdout"],
            "require_nonempty_patch": True,
            "verify_log_digests": True,
            **{member: ["new"] for member in _TEXTS[version]},
        },
        "policy": {
            "require_plan_outside_candidate_root": True,
            "require_output_outside_candidate_root": True,
            "require_verifier_distinct_from_worker": True,
        },
    }


def manifest(name: str, index: int) -> Node:
    """A ResultManifest of a worker that succeeded."""
    return {
        "schema_version": "0.1",
        "id": f"{name}/attempt-{index + 1}",
        "attempt": index + 1,
        "worker": {"id": "sample-worker", "type": "agent", "adapter": "sample"},
        "status": "succeeded",
        "started_at": "2026-01-01T00:00:00Z",
        "finished_at": f"2026-01-01T00:{index % 60:02}:30Z",
        "produced_artifacts": [
            {
                "id": "candidate-patch",
                "type": "patch",
                "locator": "candidate.patch",
                "digest": sha256(PATCH + name.encode()),
            }
        ],
        "logs": [{"type": "stdout", "locator": "stdout.txt", "digest": sha256(f"{index}\n".encode())}],
        "metrics": {},
        "resources": {"wall_seconds": 30.0 + index, "tokens": 100 + index},
        "self_report": {"summary": "Done.", "claims": []},
        "provenance": {"environment": {}},
        "verification_request": {
            "expected_validator_ids": list(_VALIDATORS),
            "evidence_artifact_ids": ["candidate-patch"],
        },
        "extensions": {"org.idkmesh.benchmark.structural_signature": SIGNATURES[index % len(SIGNATURES)]},
    }


def result(name: str, index: int) -> Node:
    """A VerificationResult that accepts."""
    return {
        "schema_version": "0.1",
        "id": f"{name}/attempt-{index + 1}/review",
        "attempt": index + 1,
        "verifier": {"id": "sample-verifier", "type": "system", "adapter": "sample"},
        "independence": {
            "independent_from_worker": True,
            "worker_id_observed": "sample-worker",
            "shared_model_family": False,
            "shared_runtime": False,
        },
        "status": "passed",
        "started_at": "2026-01-01T01:00:00Z",
        "finished_at": "2026-01-01T01:00:01Z",
        "checks": [
            {
                "id": each,
                "type": "review",
                "required": True,
                "status": "passed",
                "summary": "Holds.",
                "evidence_ids": ["patch-hash"],
            }
            for each in _VALIDATORS
        ],
        "evidence": [
            {
                "id": "patch-hash",
                "type": "artifact_hash",
                "locator": "candidate.patch",
                "digest": sha256(PATCH + name.encode()),
            }
        ],
        "findings": [],
        "metrics": {},
        "resources": {"wall_seconds": 1.0},
        "provenance": {"environment": {}},
        "decision_support": {"recommendation": "accept_candidate", "confidence": 1.0, "rationale": "Both checks passed."},
    }


def negative(name: str) -> Node:
    """A VerificationResult that refuses a regression."""
    refused = result(name, 0)
    refused |= {
        "id": f"{name}/negative",
        "result_manifest_id": f"{name}/seeded-regression",
        "status": "failed",
        "findings": [{"severity": "high", "category": "regression", "summary": "What worked is broken."}],
        "decision_support": {"recommendation": "reject_candidate", "confidence": 1.0, "rationale": "A regression."},
        "provenance": {"environment": {}, "result_manifest_digest": sha256(name.encode())},
    }
    refused["checks"][0]["status"] = "failed"
    return refused
