"""Which attempts of a bundle a cohort has already, whatever their agent and its structure are called there.

An attempt is named by its agent without the name and version that somebody gave it, its config, its task and its number. A
receipt names it too, but holds both. Manifests without our member `agent_identity` tell the agent only under the name that it
had.
"""

from __future__ import annotations

from collections.abc import Sequence
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

__all__ = ["AttachedBefore", "Doubles", "attached_before", "doubles_of"]


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


@dataclass(frozen=True, slots=True)
class Doubles:
    """What a cohort has already of the attempts of one bundle. `signature`: that of its agent, None where it has none."""

    signature: str | None
    attempts: frozenset[tuple[str, int | float]]
    """Task id and number of each attempt by the same agent with the same config."""
    receipts: frozenset[str]

    def hold(self, result: TaskResult, task_id: str) -> bool:
        """Whether this attempt is attached already."""
        return (task_id, result.attempt.index) in self.attempts or result.receipt_hash in self.receipts


def doubles_of(before: Sequence[AttachedBefore], bundle: Bundle) -> Doubles:
    """What is known of the attempts of a bundle."""
    identity, named, config = agent_identity(bundle.agent), digest_of(bundle.agent), digest_of(bundle.config)
    same = [each for each in before if each.identity == identity or each.agent == named]
    return Doubles(
        same[0].signature if same else None,
        frozenset((each.task_id, each.index) for each in same if each.config == config and isinstance(each.index, int | float)),
        frozenset(each.receipt for each in before if isinstance(each.receipt, str)),
    )
