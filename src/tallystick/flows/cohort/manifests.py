"""The ResultManifest of an attempt: what the signer of its bundle hands in, claims and measured. No verdict.

An attempt has no time of its own in a bundle: the manifest's dates are when the bundle says it was submitted, and so much
earlier as the attempt says it took. Shapes: docs/spec/cohort-documents.md.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from fractions import Fraction
from typing import Final

from tallystick.core.digest import sha256
from tallystick.core.pyjson import Json
from tallystick.flows.cohort.attempts import (
    ARTIFACTS,
    AUTHORITY_KEY,
    LOGS,
    OpenAttempt,
    Witness,
    instant,
    stamp,
)
from tallystick.flows.cohort.identity import agent_identity
from tallystick.records.base import UNSET, UnsetType, digest_of
from tallystick.records.bundle import Bundle, Observed
from tallystick.records.cohort.cohort import AUTHORITY
from tallystick.records.cohort.reading import EXTENSION
from tallystick.records.cohort.vocabulary import CandidateStatus, Metric
from tallystick.suites.cohorts.from_tasks import VALIDATORS, number
from tallystick.suites.cohorts.strict_attempts import SIGNATURE_EXTENSIONS

__all__ = ["make_manifest", "unmeasured"]


def make_manifest(attempt: OpenAttempt, witness: Witness) -> dict[str, Json]:
    """The manifest. Raises `InputError` for a bundle that was submitted after `witness.now`."""
    bundle, bound = attempt.bundle, attempt.bound
    finished = instant(bundle.submitted_at, witness.now)
    wall = attempt.observed.wall_ms if attempt.observed is not None else 0
    return {
        "schema_version": "0.1",
        "id": bound.id,
        "work_unit_id": bound.work_unit_id,
        "work_unit_version": bound.work_unit_version,
        "attempt": bound.ordinal,
        "worker": _worker(attempt),
        "status": _status(attempt).value,
        "started_at": stamp(finished - timedelta(milliseconds=min(wall, bundle.submitted_at * 1000))),
        "finished_at": stamp(finished),
        "produced_artifacts": [_artifact(name, attempt.files[name]) for name in ARTIFACTS if name in attempt.files],
        "logs": [
            {"type": name, "locator": f"{name}.txt", "digest": sha256(attempt.files[f"{name}.txt"])}
            for name in LOGS
            if f"{name}.txt" in attempt.files
        ],
        "metrics": {"earlier_tries": len(attempt.result.tries)},
        "resources": _resources(attempt, witness),
        "self_report": {
            "summary": f"Attempt {attempt.result.attempt.index} of {attempt.result.attempt.of}, as its bundle has it.",
            "claims": [f"outcome: {attempt.result.harness_output.outcome}"],
        },
        "provenance": {
            "work_unit_digest": bound.work_unit_digest,
            "source_revision": bound.revision,
            "worker_config_digest": digest_of(bundle.config),
            "environment": _worker_environment(attempt),
        },
        "verification_request": {
            "expected_validator_ids": list(VALIDATORS),
            "evidence_artifact_ids": [key for name, key in ARTIFACTS.items() if name in attempt.files],
        },
        "extensions": {
            SIGNATURE_EXTENSIONS[0]: bound.signature,
            AUTHORITY_KEY: dict.fromkeys(AUTHORITY, False),
            EXTENSION: _claimed(attempt),
        },
    }


def unmeasured(resources: Mapping[str, Json], required: Sequence[Metric], *, observed: bool) -> list[Metric]:
    """The required metrics that were not measured.

    A manifest must have `wall_seconds`; where a bundle observed nothing of the attempt, the 0 that stands there is no measure.
    """
    return [metric for metric in required if metric not in resources or (metric is Metric.WALL_SECONDS and not observed)]


_SAID: Final[Mapping[str, tuple[str, str, str]]] = {
    "candidate.patch": ("patch", "text/x-diff", "The workspace as a patch against the source revision; unverified."),
    "receipt.json": ("log", "application/json", "The receipt of the attempt: its journal and spine."),
    "workspace.json": ("other", "application/json", "The tree of the sealed workspace: paths, modes and digests."),
}


def _artifact(name: str, data: bytes) -> Json:
    kind, media, says = _SAID[name]
    return {
        "id": ARTIFACTS[name],
        "type": kind,
        "locator": name,
        "digest": sha256(data),
        "media_type": media,
        "description": says,
    }


def _worker(attempt: OpenAttempt) -> Json:
    agent = attempt.bundle.agent
    version: dict[str, Json] = {} if agent.version is UNSET else {"adapter_version": agent.version}
    model: dict[str, Json] = {} if agent.model is UNSET else {"model": {"name": agent.model}}
    return {
        "id": attempt.worker,
        "type": "system" if agent.self_test else "agent",
        "adapter": f"{agent.adapter}:{agent.name}",
        **version,
        **model,
    }


def _status(attempt: OpenAttempt) -> CandidateStatus:
    output = attempt.result.harness_output
    if output.limit == "wall":
        return CandidateStatus.TIMEOUT
    if output.limit is not UNSET:
        return CandidateStatus.FAILED
    return CandidateStatus.SUCCEEDED if output.outcome in {"passed", "failed"} else CandidateStatus.ERROR


def _resources(attempt: OpenAttempt, witness: Witness) -> dict[str, Json]:
    found, observed = _human(witness), attempt.observed
    if observed is None:
        return {"wall_seconds": 0.0, **found}
    found["wall_seconds"] = observed.wall_ms / 1000
    if observed.cpu_ms is not UNSET:
        found["cpu_seconds"] = found["compute_units"] = observed.cpu_ms / 1000
    if observed.max_rss_kb is not UNSET:
        found["max_rss_mb"] = observed.max_rss_kb / 1024
    tokens = _tokens(attempt.bundle, observed)
    if tokens is not None:
        found["tokens"] = tokens
    return found


def _human(witness: Witness) -> dict[str, Json]:
    return {} if witness.human_minutes is None else {"human_minutes": number(witness.human_minutes)}


def _tokens(bundle: Bundle, observed: Observed) -> int | None:
    """Tokens of models: none where no model could be reached, those counted where the gateway saw all, else not known."""
    if bundle.config.network == "none":
        return 0
    if bundle.config.network == "gateway" and not observed.hosts:
        counted = (observed.input_tokens, observed.output_tokens)
        return sum(0 if isinstance(each, UnsetType) else each for each in counted)
    return None


def _worker_environment(attempt: OpenAttempt) -> Json:
    observed = attempt.observed
    python: dict[str, Json] = {} if observed is None or observed.python is UNSET else {"python": observed.python}
    harness = attempt.bundle.harness
    return {**python, "tool_versions": {harness.name: harness.version}}


def _claimed(attempt: OpenAttempt) -> dict[str, Json]:
    bundle = attempt.bundle
    limits = bundle.config.limits
    return {
        "bundle_hash": bundle.bundle_hash,
        "receipt_hash": attempt.result.receipt_hash,
        "run_id": attempt.receipt.run_id,
        **({} if attempt.bound.hidden else {"task_hash": attempt.result.task_hash}),
        "agent": digest_of(bundle.agent),
        "agent_identity": agent_identity(bundle.agent),
        "index": attempt.result.attempt.index,
        "of": attempt.result.attempt.of,
        "limits": {
            "wall_ms": attempt.task.limits.wall_ms,
            "cost_usd": number(Fraction(attempt.task.limits.cost_usd)),
            "calls": None if limits.calls is UNSET else limits.calls,
            "tokens": None if limits.tokens is UNSET else limits.tokens,
        },
    }
