"""The closed set of journal events, and the lane that the writer of each kind decides.

An event holds no clock reading, random id, host name, host path, kernel or tool version and no captured output: two runs on the
same inputs make the same bytes. Specification: docs/spec/journal-and-receipt.md.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal, get_args

import msgspec

from tallystick.core import c1, merkle
from tallystick.core.digest import Digest
from tallystick.records.base import UNSET, Count, Record, Sha, UnsetType

__all__ = [
    "LANES",
    "AgentEnd",
    "AgentStart",
    "AttemptBegin",
    "AttemptEnd",
    "Cause",
    "Event",
    "GradeDone",
    "Lane",
    "Limit",
    "Refusal",
    "RefusedPath",
    "WorkspaceSealed",
    "coordination_root",
    "journal_root",
    "kind_of",
]

Lane = Literal["coordination", "outcome"]
Limit = Literal["wall", "memory", "processes", "output", "workspace", "file", "cost"]
Cause = Literal["sandbox_failed", "grader_failed", "budget_exceeded", "interrupted"]


Refusal = Literal["bad_name", "fifo", "socket", "device", "link_leaves", "too_large", "too_many", "too_deep"]


class RefusedPath(Record):
    """A name that the seal could not record: control characters and bytes outside UTF-8 are written as `%XX`."""

    path: Annotated[str, msgspec.Meta(max_length=4096)]
    reason: Refusal


class _Event(Record, tag_field="kind"):
    """Base of an event; `seq` counts from 0 without gaps."""

    seq: Count


class AttemptBegin(_Event, tag="attempt.begin"):
    """The harness starts an attempt on a fresh base workspace."""

    task_hash: Sha
    workspace: Sha


class AgentStart(_Event, tag="agent.start"):
    """The harness starts the agent; `instruction` is the digest of the text it is given."""

    adapter: str
    instruction: Sha


class AgentEnd(_Event, tag="agent.end"):
    """The agent's first process ended by itself (`exit`), by a signal, or because a limit ended it."""

    exit: int | UnsetType = UNSET
    signal: int | UnsetType = UNSET
    limit: Limit | UnsetType = UNSET


class WorkspaceSealed(_Event, tag="workspace.sealed"):
    """Everything the agent started is dead and the workspace is read into `tree`; counts are against the base workspace."""

    tree: Sha
    added: Count
    modified: Count
    removed: Count
    refused: Annotated[tuple[RefusedPath, ...], msgspec.Meta(max_length=100)] = ()
    refused_total: Count = 0


class GradeDone(_Event, tag="grade.done"):
    """The grade pass ended; `grade` is the digest of its evidence."""

    grade: Sha


class AttemptEnd(_Event, tag="attempt.end"):
    """The attempt ended: graded, or with a typed cause why it could not be."""

    outcome: Literal["graded", "infra_error", "refused", "interrupted"]
    cause: Cause | UnsetType = UNSET

    def __post_init__(self) -> None:
        """A graded attempt has no cause; every other one has."""
        if (self.outcome == "graded") != (self.cause is UNSET):
            raise ValueError("attempt.end: a cause stands exactly where the outcome is not graded")


Event = AttemptBegin | AgentStart | AgentEnd | WorkspaceSealed | GradeDone | AttemptEnd

LANES: Final[dict[str, Lane]] = {
    "attempt.begin": "coordination",
    "agent.start": "coordination",
    "agent.end": "outcome",
    "workspace.sealed": "outcome",
    "grade.done": "outcome",
    "attempt.end": "outcome",
}
"""Which lane each kind belongs to: what the harness or an orchestrator decided, or what came of it."""

if set(LANES) != {cls.__struct_config__.tag for cls in get_args(Event)}:  # pragma: no cover - a programmer's slip
    raise RuntimeError("every event kind needs a lane")


def kind_of(event: Event) -> str:
    """The `kind` of an event."""
    return str(event.__struct_config__.tag)


def journal_root(events: tuple[Event, ...]) -> Digest:
    """`journal_head`: the Merkle root (RFC 6962) over the C1 bytes of the events."""
    return merkle.root(c1.encode(event) for event in events)


def coordination_root(events: tuple[Event, ...]) -> Digest:
    """Root over the coordination lane, each event with its place in that lane as `seq`."""
    lane = [event for event in events if LANES[kind_of(event)] == "coordination"]
    return merkle.root(c1.encode(msgspec.structs.replace(event, seq=i)) for i, event in enumerate(lane))
