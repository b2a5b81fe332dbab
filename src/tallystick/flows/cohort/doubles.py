"""Which attempts of a bundle a cohort has already, whatever their agent and its structure are called there.

An attempt is named by its agent without the name and version that somebody gave it, its config, its task and its number. A
receipt names it too, but holds both. Manifests without our member `agent_identity` tell the agent only
under the name that it had.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tallystick.core.pyjson import Json
from tallystick.flows.cohort.evidence import manifests
from tallystick.flows.cohort.identity import agent_identity
from tallystick.flows.cohort.opening import Where
from tallystick.records.base import digest_of
from tallystick.records.bundle import Bundle, TaskResult
from tallystick.records.cohort.cohort import Cohort
from tallystick.records.cohort.reading import own_members
from tallystick.suites.cohorts.files import open_files

__all__ = ["AttachedBefore", "attached_before", "is_attached", "signature_of"]


@dataclass(frozen=True, slots=True)
class AttachedBefore:
    """What the manifest of an attached attempt says of it; None where it does not say so."""

    task_id: str
    signature: str
    receipt: Json
    identity: Json
    agent: Json
    config: Json
    index: Json


def attached_before(where: Where, cohort: Cohort) -> tuple[AttachedBefore, ...]:
    """Every attempt that the cohort lists, as far as its manifest can be read."""
    with open_files(where.root, compat=False) as files:
        return tuple(
            _before(task.id, attempt.structural_signature, manifest)
            for task, attempt, manifest in manifests(files, cohort, strict=True)
        )


def _before(task_id: str, signature: str, manifest: Json) -> AttachedBefore:
    ours = own_members(manifest)
    provenance = manifest.get("provenance") if isinstance(manifest, dict) else None
    config = provenance.get("worker_config_digest") if isinstance(provenance, dict) else None
    receipt, identity, agent = (ours.get(name) for name in ("receipt_hash", "agent_identity", "agent"))
    return AttachedBefore(task_id, signature, receipt, identity, agent, config, ours.get("index"))


def is_attached(before: Sequence[AttachedBefore], bundle: Bundle, result: TaskResult, task_id: str) -> bool:
    """Whether this attempt is one of those."""
    config = digest_of(bundle.config)
    same = (each for each in _of_agent(before, bundle) if each.task_id == task_id and each.config == config)
    return any(each.index == result.attempt.index for each in same) or any(
        each.receipt == result.receipt_hash for each in before
    )


def signature_of(before: Sequence[AttachedBefore], bundle: Bundle) -> str | None:
    """The structural signature under which the agent of a bundle is attached already, None where it is not."""
    return next((each.signature for each in _of_agent(before, bundle)), None)


def _of_agent(before: Sequence[AttachedBefore], bundle: Bundle) -> Iterator[AttachedBefore]:
    identity, named = agent_identity(bundle.agent), digest_of(bundle.agent)
    return (each for each in before if each.identity == identity or each.agent == named)
