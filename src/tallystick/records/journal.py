"""The closed set of journal events, and the lane that the writer of each kind decides.

An event holds no clock reading, random id, host name, host path, kernel or tool version and no captured output: two runs on the
same inputs make the same bytes. Specification: docs/spec/journal-and-receipt.md.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal, get_args

import msgspec

from tallystick.core import c1, merkle
from tallystick.core.digest import Digest
from tallystick.records.base import UNSET, Count, Record, Sha, Slug, UnsetType
from tallystick.records.traffic.cassette import Api

__all__ = [
    "LANES",
    "AgentEnd",
    "AgentStart",
    "AttemptBegin",
    "AttemptEnd",
    "Cause",
    "Decision",
    "Event",
    "GradeDone",
    "Lane",
    "Limit",
    "ModelCall",
    "NetworkHost",
    "OtherCall",
    "Refusal",
    "RefusedPath",
    "WorkspaceSealed",
    "coordination_root",
    "failed_by_provider",
    "journal_root",
    "kind_of",
    "provider_failed",
]

Lane = Literal["coordination", "outcome"]
Limit = Literal["wall", "memory", "processes", "output", "workspace", "file", "cost", "tokens", "calls"]
Cause = Literal["sandbox_failed", "grader_failed", "provider_failed", "budget_exceeded", "interrupted"]


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


class Decision(_Event, tag="orchestrator.decision"):
    """What an orchestrator that is the agent, or part of it, reports of itself: a name and a text, in the order of arrival."""

    name: Slug
    text: Annotated[str, msgspec.Meta(max_length=2000)] = ""


class ModelCall(_Event, tag="model.call"):
    """The gateway served a call to a model: digests of the normalised request and of the answer's bytes, as in the cassette."""

    call: Count
    api: Api
    request: Sha
    status: Annotated[int, msgspec.Meta(ge=0, le=999)]
    answer: Sha
    complete: bool


class OtherCall(_Event, tag="model.other"):
    """The same for a call that asks no model: a list of models, a count of tokens, a probe."""

    call: Count
    request: Sha
    status: Annotated[int, msgspec.Meta(ge=0, le=999)]
    answer: Sha
    complete: bool


class NetworkHost(_Event, tag="network.host"):
    """The agent used a host that the run allows, beside its models; what was said there is not recorded."""

    host: Annotated[str, msgspec.Meta(max_length=253)]
    port: Annotated[int, msgspec.Meta(ge=1, le=65535)]


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


Event = (
    AttemptBegin
    | AgentStart
    | Decision
    | ModelCall
    | OtherCall
    | NetworkHost
    | AgentEnd
    | WorkspaceSealed
    | GradeDone
    | AttemptEnd
)

LANES: Final[dict[str, Lane]] = {
    "attempt.begin": "coordination",
    "agent.start": "coordination",
    "orchestrator.decision": "coordination",
    "model.call": "outcome",
    "model.other": "outcome",
    "network.host": "outcome",
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


PROVIDER_FAILURES: Final = frozenset({0, 401, 408, 429})
"""Statuses, besides those from 500 on, that are the provider's failure or its account's and not the agent's; 0 is no answer."""


def failed_by_provider(status: int) -> bool:
    """Whether a call with this status failed for a reason that lies outside the agent."""
    return status in PROVIDER_FAILURES or status >= 500  # noqa: PLR2004 - HTTP


def provider_failed(events: tuple[Event, ...]) -> bool:
    """Whether the last call to a model failed for a reason that is the provider's, and no limit ended the agent.

    Of an agent that came to no such call, the last call of all counts: it asked which models there are, and got no answer.
    """
    calls = [event for event in events if isinstance(event, ModelCall | OtherCall)]
    last = next((event for event in reversed(calls) if isinstance(event, ModelCall)), calls[-1] if calls else None)
    limited = any(isinstance(event, AgentEnd) and event.limit is not UNSET for event in events)
    return last is not None and not limited and failed_by_provider(last.status)


def journal_root(events: tuple[Event, ...]) -> Digest:
    """`journal_head`: the Merkle root (RFC 6962) over the C1 bytes of the events."""
    return merkle.root(c1.encode(event) for event in events)


def coordination_root(events: tuple[Event, ...]) -> Digest:
    """Root over the coordination lane, each event with its place in that lane as `seq`."""
    lane = [event for event in events if LANES[kind_of(event)] == "coordination"]
    return merkle.root(c1.encode(msgspec.structs.replace(event, seq=i)) for i, event in enumerate(lane))
