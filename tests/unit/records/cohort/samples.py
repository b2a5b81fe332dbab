"""A small valid document of every kind, with every member that may be there."""

from typing import Any, Final

from tallystick.records.cohort.schemas import DocumentKind

DIGEST: Final = "sha256:" + "0a" * 32
TIME: Final = "2026-01-31T12:00:00Z"
PRICE: Final = {"wall_seconds": 1.5, "compute_units": 0, "human_minutes": 0.0, "tokens": 12}
ENVIRONMENT: Final = {"platform": "linux", "python": "3.11", "container_image": "none", "tool_versions": {"git": "2.40"}}


def reference(name: str) -> dict[str, Any]:
    return {"path": f"{name}.json", "digest": DIGEST, "id": name}


COHORT: Final = {
    "schema_version": "0.1",
    "id": "example/cohort",
    "title": "Example",
    "description": "One task of each sort of evaluator.",
    "stage": "frozen",
    "minimum_final_tasks": 5,
    "required_families": ["bug_fix", "refactor"],
    "taxonomy_frozen_before_outcomes": True,
    "definition_digest": DIGEST,
    "authority": dict.fromkeys(("canonical_state_write", "git_push", "merge", "automatic_candidate_selection"), False),
    "tasks": [
        {
            "id": "example/open",
            "family": "bug_fix",
            "difficulty": "small",
            "split": "held_out",
            "source": {"repository": "https://example.org/repository", "revision": "0a" * 20},
            "work_unit": {**reference("example/unit"), "version": 1},
            "evaluator": {
                "visibility": "public",
                "plan_id": "example/plan",
                "plan_digest": DIGEST,
                "backend": "unified_diff",
                "plan_path": "plan.json",
            },
            "declared_structural_signatures": ["single", "double"],
            "negative_case": {
                "description": "An answer that changes nothing.",
                "expected_category": "correctness",
                "evidence_status": "verified",
                "evidence_type": "verification_result",
                "evidence_path": "negative.json",
                "evidence_digest": DIGEST,
            },
            "accounting": {"required_metrics": ["wall_seconds", "tokens"]},
            "evidence": {
                "status": "verified",
                "attempts": [
                    {
                        "attempt_id": "attempt-1",
                        "structural_signature": "single",
                        "result_manifest": reference("manifest"),
                        "verification_result": reference("result"),
                        "outcome": "support",
                    }
                ],
            },
        },
        {
            "id": "example/hidden",
            "family": "refactor",
            "difficulty": "large",
            "split": "pilot",
            "source": {"repository": "https://example.org/repository", "revision": "0a" * 20},
            "work_unit": {**reference("example/other"), "version": 2},
            "evaluator": {"visibility": "hidden", "plan_id": "example/sealed", "plan_digest": DIGEST, "backend": "other"},
            "declared_structural_signatures": ["single"],
            "negative_case": {"description": "None yet.", "expected_category": "other", "evidence_status": "pending"},
            "accounting": {"required_metrics": ["tokens"]},
            "evidence": {"status": "excluded", "attempts": [], "exclusion_reason": "Its source is gone."},
        },
    ],
    "extensions": {"org.example": {"note": None}},
}

WORK_UNIT: Final = {
    "schema_version": "0.2",
    "id": "example/unit",
    "version": 1,
    "kind": "coding",
    "objective": "Make it work.",
    "context": {"summary": "It does not.", "references": ["README.md"], "max_context_bytes": 1000},
    "inputs": [{"id": "source", "type": "git_ref", "locator": "HEAD", "digest": DIGEST}],
    "outputs": [{"id": "patch", "type": "patch", "description": "A diff.", "media_type": "text/x-diff"}],
    "dependencies": [{"work_unit_id": "example/first", "relationship": "requires", "condition": "done"}],
    "requirements": {
        "capabilities": ["python"],
        "resources": {
            "cpu_cores_min": 0.5,
            "memory_mb_min": 512,
            "disk_mb_min": 10,
            "gpu": "none",
            "accelerator_capabilities": ["any"],
        },
    },
    "constraints": {"allowed_paths": ["src"], "forbidden_paths": [], "policies": ["small"]},
    "uncertainty": [{"statement": "It may be flaky.", "confidence": 0.25, "resolution_strategy": "run it twice"}],
    "security": {
        "risk_class": "low",
        "data_classification": "public",
        "minimum_worker_trust": "untrusted",
        "sandbox_required": True,
        "notes": "",
    },
    "permissions": {
        "network": "allowlist",
        "network_allowlist": ["example.org"],
        "filesystem_write": ["src"],
        "secrets": [],
        "process_execution": True,
    },
    "verification_policy": {
        "strategy": "quorum",
        "independent_from_worker": True,
        "minimum_independent_verifiers": 1,
        "quorum": 1,
        "acceptance_rule": "all",
    },
    "validators": [
        {"id": "tests", "type": "test", "required": True, "command": ["pytest"], "description": "The tests."},
        {"id": "taste", "type": "review", "required": False},
    ],
    "evidence_requirements": [{"type": "test_output", "required": True, "description": "What the tests print."}],
    "budget": {**PRICE, "project_spend_usd_max": 0, "paid_fallback_allowed": False},
    "provenance": {
        "created_by": "somebody",
        "creator_type": "human",
        "source": "a book",
        "source_revision": "0a" * 20,
        "created_at": TIME,
        "parent_work_unit_ids": ["example/first"],
    },
    "failure_semantics": {"retryable": False, "max_attempts": 1, "on_failure": "stop"},
    "extensions": {"org.example": [1, 2.0]},
}

BINDING: Final = {
    "work_unit_id": "example/unit",
    "work_unit_version": 1,
    "work_unit_digest": DIGEST,
    "source_revision": "0a" * 20,
}


def diff_plan(schema_version: str, adapter_version: str, *texts: str) -> dict[str, Any]:
    return {
        "schema_version": schema_version,
        "id": "example/plan",
        "binding": BINDING,
        "visibility": "public",
        "execution_mode": "metadata_only",
        "verifier": {
            "id": "idkmesh-local-verifier",
            "type": "system",
            "adapter": "deterministic-patch-verifier",
            "adapter_version": adapter_version,
        },
        "required_validator_ids": ["tests"],
        "candidate_artifact_id": "patch",
        "backend": {
            "type": "unified_diff",
            "max_candidate_bytes": 1000,
            "max_log_bytes": 1000,
            "required_log_types": ["stdout"],
            **{name: ["return 1"] for name in texts},
            "require_nonempty_patch": True,
            "verify_log_digests": True,
        },
        "policy": {
            "require_plan_outside_candidate_root": True,
            "require_output_outside_candidate_root": True,
            "require_verifier_distinct_from_worker": True,
        },
        "extensions": {},
    }


OWN_PLAN: Final = {
    "schema_version": "tallystick-0.1",
    "id": "example/plan",
    "binding": BINDING,
    "required_validator_ids": ["tests"],
    "backend": {"type": "tallystick_task", "task_hash": DIGEST, "grader": None, "sandbox_policy": "standard"},
    "execution_mode": "sandboxed_execution",
    "verifier": {"id": "tally", "adapter_version": "1"},
}

MODEL: Final = {"provider": "somebody", "name": "model", "version": "1"}
RESULT_MANIFEST: Final = {
    "schema_version": "0.1",
    "id": "example/manifest",
    "work_unit_id": "example/unit",
    "work_unit_version": 1,
    "attempt": 1,
    "worker": {"id": "worker", "type": "agent", "adapter": "shell", "adapter_version": "1", "model": MODEL},
    "status": "succeeded",
    "started_at": TIME,
    "finished_at": TIME,
    "produced_artifacts": [
        {
            "id": "patch",
            "type": "patch",
            "locator": "candidate.patch",
            "digest": DIGEST,
            "media_type": "text/x-diff",
            "description": "A diff.",
        }
    ],
    "logs": [{"type": "stdout", "locator": "out.log", "digest": DIGEST}, {"type": "stderr", "locator": "err.log"}],
    "metrics": {"lines": 3, "share": 0.5, "unknown": None},
    "resources": {**PRICE, "cpu_seconds": 1, "max_rss_mb": 20},
    "self_report": {"summary": "Done.", "claims": ["It works."], "confidence": {"value": 1, "meaning": "subjective"}},
    "provenance": {
        "work_unit_digest": DIGEST,
        "source_revision": "0a" * 20,
        "worker_config_digest": DIGEST,
        "environment": ENVIRONMENT,
    },
    "verification_request": {"expected_validator_ids": ["tests"], "evidence_artifact_ids": ["patch"], "notes": ""},
    "extensions": {},
}

VERIFICATION_RESULT: Final = {
    "schema_version": "0.1",
    "id": "example/result",
    "result_manifest_id": "example/manifest",
    "work_unit_id": "example/unit",
    "work_unit_version": 1,
    "attempt": 1,
    "verifier": {"id": "verifier", "type": "system", "adapter": "tests", "adapter_version": "1", "model": MODEL},
    "independence": {
        "independent_from_worker": True,
        "worker_id_observed": "worker",
        "shared_model_family": False,
        "shared_runtime": False,
        "correlation_notes": "",
    },
    "status": "failed",
    "started_at": TIME,
    "finished_at": TIME,
    "checks": [
        {
            "id": "tests",
            "type": "test",
            "required": True,
            "status": "failed",
            "summary": "One of two.",
            "evidence_ids": ["log"],
            "diagnostics": "",
        }
    ],
    "evidence": [
        {"id": "log", "type": "test_output", "locator": "log", "digest": DIGEST, "media_type": "text/plain", "description": ""}
    ],
    "findings": [{"severity": "high", "category": "correctness", "summary": "It is wrong.", "path": "a.py", "line": 1}],
    "metrics": {"tests": 2},
    "resources": {"wall_seconds": 1},
    "provenance": {
        "result_manifest_digest": DIGEST,
        "work_unit_digest": DIGEST,
        "source_revision": "0a" * 20,
        "verifier_config_digest": DIGEST,
        "environment": ENVIRONMENT,
    },
    "decision_support": {"recommendation": "reject_candidate", "confidence": 0.75, "rationale": "See findings."},
    "attestation": {"signer_id": "somebody", "algorithm": "none", "signature": "none"},
    "extensions": {},
}

DOCUMENTS: Final[dict[DocumentKind, dict[str, Any]]] = {
    DocumentKind.COHORT: COHORT,
    DocumentKind.WORK_UNIT: WORK_UNIT,
    DocumentKind.PLAN_0_2: diff_plan("0.2", "0.1.1", "required_added_text"),
    DocumentKind.PLAN_0_3: diff_plan("0.3", "0.2.0", "required_added_substrings"),
    DocumentKind.PLAN_0_4: diff_plan("0.4", "0.3.0", "required_added_substrings", "required_removed_substrings"),
    DocumentKind.OWN_PLAN: OWN_PLAN,
    DocumentKind.RESULT_MANIFEST: RESULT_MANIFEST,
    DocumentKind.VERIFICATION_RESULT: VERIFICATION_RESULT,
}
