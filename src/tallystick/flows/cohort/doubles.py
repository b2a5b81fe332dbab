"""Which attempts of a bundle a cohort has already, whatever their agent and its structure are called there.

An attempt is named by its agent without the name and version that somebody gave it, its config, its task and its number. A
receipt names it too, but holds both. Manifests without our member `agent_identity` tell the agent only under the name that it
had.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tallystick.flows.cohort.evidence import manifests
from tallystick.flows.cohort.identity import agent_identity
from tallystick.flows.cohort.opening import Where
from tallystick.records.base import digest_of
from tallystick.records.bundle import Bundle, TaskResult
from tallystick.records.cohort.cohort import Cohort
from tallystick.records.cohort.origin import Origin, origin_of
from tallystick.suites.cohorts.files import open_files

__all__ = ["AttachedBefore", "Doubles", "attached_before", "doubles_of"]


@dataclass(frozen=True, slots=True)
class AttachedBefore:
    """An attempt that is attached, with what its manifest says of where it came from."""

    task_id: str
    signature: str
    origin: Origin


def attached_before(where: Where, cohort: Cohort) -> tuple[AttachedBefore, ...]:
    """Every attempt that the cohort lists, as far as its manifest can be read."""
    with open_files(where.root, compat=False) as files:
        return tuple(
            AttachedBefore(task.id, attempt.structural_signature, origin_of(manifest))
            for task, attempt, manifest in manifests(files, cohort, strict=True)
        )


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
    same = [each for each in before if each.origin.identity == identity or each.origin.agent == named]
    numbered = ((each.task_id, each.origin) for each in same if each.origin.config == config)
    return Doubles(
        same[0].signature if same else None,
        frozenset((task_id, origin.index) for task_id, origin in numbered if isinstance(origin.index, int | float)),
        frozenset(each.origin.receipt for each in before if isinstance(each.origin.receipt, str)),
    )
