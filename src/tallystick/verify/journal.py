"""Steps 10 and 11 for one receipt: a legal journal, a spine that follows from it, and the heads of both.

| after                 | may come                                                  |
|-----------------------|-----------------------------------------------------------|
| (nothing)             | attempt.begin                                             |
| attempt.begin         | agent.start, attempt.end                                  |
| agent.start           | orchestrator.decision, call, host, agent.end, attempt.end |
| orchestrator.decision | orchestrator.decision, call, host, agent.end              |
| call                  | call, host, agent.end                                     |
| host                  | host, agent.end                                           |
| agent.end             | workspace.sealed, attempt.end                             |
| workspace.sealed      | grade.done, attempt.end                                   |
| grade.done            | attempt.end                                               |

`call` is model.call or model.other, numbered in order; `host` is network.host, sorted, each once. attempt.end is last. `graded`
comes after grade.done and only there; `refused` only before an agent started; `provider_failed` only where the last call to a
model failed for a reason that is the provider's.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from tallystick.core.digest import Digest, short
from tallystick.records.base import UNSET
from tallystick.records.evidence import Config, Receipt, spine_root
from tallystick.records.journal import (
    AgentEnd,
    AgentStart,
    AttemptBegin,
    AttemptEnd,
    Decision,
    Event,
    GradeDone,
    ModelCall,
    NetworkHost,
    OtherCall,
    WorkspaceSealed,
    journal_root,
    kind_of,
    provider_failed,
)
from tallystick.records.report import Status
from tallystick.verify.state import RefusedError, TaskFacts, Verification

__all__ = ["TRANSITIONS", "check_journal", "check_spine", "sequence_problem"]

_CALLS: Final = (ModelCall, OtherCall)

TRANSITIONS: Final[dict[type, tuple[type, ...]]] = {
    AttemptBegin: (AgentStart, AttemptEnd),
    AgentStart: (Decision, *_CALLS, NetworkHost, AgentEnd, AttemptEnd),
    Decision: (Decision, *_CALLS, NetworkHost, AgentEnd),
    ModelCall: (*_CALLS, NetworkHost, AgentEnd),
    OtherCall: (*_CALLS, NetworkHost, AgentEnd),
    NetworkHost: (NetworkHost, AgentEnd),
    AgentEnd: (WorkspaceSealed, AttemptEnd),
    WorkspaceSealed: (GradeDone, AttemptEnd),
    GradeDone: (AttemptEnd,),
    AttemptEnd: (),
}

_ENDINGS: Final[dict[tuple[str, str | None], tuple[type, ...]]] = {
    ("graded", None): (GradeDone,),
    ("refused", "budget_exceeded"): (AttemptBegin,),
    ("interrupted", "interrupted"): (AttemptBegin, AgentStart, AgentEnd, WorkspaceSealed),
    ("infra_error", "sandbox_failed"): (AttemptBegin, AgentStart, AgentEnd, WorkspaceSealed),
    ("infra_error", "grader_failed"): (WorkspaceSealed,),
    ("infra_error", "provider_failed"): (WorkspaceSealed,),
}
"""How an attempt may end (outcome, cause), and after which event."""


def check_journal(receipt: Receipt, facts: TaskFacts, at: Verification) -> None:
    """Step 10: head, sequence and contents of a journal.

    Raises:
        RefusedError: HASH_MISMATCH for the head, MALFORMED_RECEIPT for an illegal sequence, DIVERGED for what is another
            task's, or what this run's config leaves no way to.
    """
    found = journal_root(receipt.events)
    if found != receipt.journal_head:
        raise RefusedError(
            Status.HASH_MISMATCH, f"journal_head is {short(receipt.journal_head)}, the events give {short(found)}"
        )
    problem = sequence_problem(receipt.events)
    if problem:
        raise RefusedError(Status.MALFORMED_RECEIPT, problem)
    for event in receipt.events:
        problem = _event_problem(event, facts, at.bundle.agent.adapter) or _way_problem(event, at.bundle.config)
        if problem:
            raise RefusedError(Status.DIVERGED, f"event {event.seq}: {problem}")


def sequence_problem(events: tuple[Event, ...]) -> str | None:
    """Why events are no legal journal, or None."""
    if not events or not isinstance(events[0], AttemptBegin):
        return "a journal begins with attempt.begin"
    last = events[-1]
    if not isinstance(last, AttemptEnd):
        return "a journal ends with attempt.end"
    if any(event.seq != place for place, event in enumerate(events)):
        return "the seq of events does not count from 0 without gaps"
    for before, after in pairwise(events):
        if type(after) not in TRANSITIONS[type(before)]:
            return f"{kind_of(after)} cannot follow {kind_of(before)}"
    return _ending_problem(events, last) or _order_problem(events)


def _ending_problem(events: tuple[Event, ...], last: AttemptEnd) -> str | None:
    cause = None if last.cause is UNSET else last.cause
    if type(events[-2]) not in _ENDINGS.get((last.outcome, cause), ()):
        return f"an attempt cannot end {last.outcome} ({cause or 'no cause'}) after {kind_of(events[-2])}"
    if cause == "provider_failed" and not provider_failed(events):
        return "the attempt ends provider_failed, but its last call to a model did not fail by the provider"
    return None


def _order_problem(events: tuple[Event, ...]) -> str | None:
    calls = [event.call for event in events if isinstance(event, ModelCall | OtherCall)]
    if calls != list(range(len(calls))):
        return "the calls of a journal are not numbered from 0 in order"
    hosts = [(event.host, event.port) for event in events if isinstance(event, NetworkHost)]
    return None if hosts == sorted(set(hosts)) else "the hosts of a journal are not sorted, or one stands twice"


def _event_problem(event: Event, facts: TaskFacts, adapter: str) -> str | None:
    """Why an event does not belong to an attempt at this task by this adapter, or None."""
    match event:
        case AttemptBegin():
            same = event.task_hash == facts.task.task_hash and event.workspace == facts.task.workspace
            return None if same else "attempt.begin names another task or base workspace"
        case AgentStart():
            return _start_problem(event, facts, adapter)
        case AgentEnd():
            return _end_problem(event)
        case WorkspaceSealed():
            listed = len(event.refused) <= event.refused_total and bool(event.refused) == bool(event.refused_total)
            return None if listed else "refused_total does not fit the names that the seal refused"
        case Decision() | ModelCall() | OtherCall() | NetworkHost() | GradeDone() | AttemptEnd():
            return None


def _way_problem(event: Event, config: Config) -> str | None:
    """Why an event cannot come from a run with this config, or None: models and hosts are reached at a gateway only."""
    if isinstance(event, Decision | ModelCall | OtherCall | NetworkHost) and config.network != "gateway":
        return f"{kind_of(event)} in a run without a gateway"
    if isinstance(event, NetworkHost) and f"{event.host}:{event.port}" not in config.hosts:
        return f"{event.host}:{event.port} is none of the hosts that the run allows"
    return None


def _start_problem(event: AgentStart, facts: TaskFacts, adapter: str) -> str | None:
    if event.adapter != adapter:
        return f"agent.start names the adapter {event.adapter[:80]!r}, the bundle {adapter!r}"
    return None if event.instruction == facts.instruction else "the instruction is not the task's"


def _end_problem(event: AgentEnd) -> str | None:
    if event.exit is not UNSET and event.signal is not UNSET:
        return "an agent ends by exit or by signal, not by both"
    ended = not (event.exit is UNSET and event.signal is UNSET and event.limit is UNSET)
    return None if ended else "agent.end says nothing about how the agent ended"


def check_spine(receipt: Receipt, at: Verification, facts: TaskFacts) -> None:
    """Step 11: head and links of a spine, and the run it belongs to.

    Raises:
        RefusedError: HASH_MISMATCH for a head or run_id, DIVERGED for a link that the bundle, suite or journal contradicts.
    """
    found = spine_root(receipt.spine)
    if found != receipt.spine_head:
        raise RefusedError(Status.HASH_MISMATCH, f"spine_head is {short(receipt.spine_head)}, the links give {short(found)}")
    wanted = _links(receipt, at, facts)
    for link, (role, digest) in zip(receipt.spine, wanted, strict=False):
        if link.role != role:
            raise RefusedError(Status.DIVERGED, f"the spine has {link.role} where {role} belongs")
        if link.digest != digest:
            raise RefusedError(Status.DIVERGED, f"the spine's {role} is {short(link.digest)}, the evidence's {short(digest)}")
    if at.bundle.config.recording == "cassette" and _ran(receipt) and receipt.link("cassette") is None:
        raise RefusedError(Status.DIVERGED, "the run was recorded, but the spine names no cassette")
    if len(receipt.spine) != len(wanted):
        raise RefusedError(Status.DIVERGED, f"the spine has {len(receipt.spine)} links where the journal gives {len(wanted)}")
    if receipt.run_id != at.run_id:
        raise RefusedError(
            Status.HASH_MISMATCH, f"run_id is {short(receipt.run_id)}, suite, agent and config give {short(at.run_id)}"
        )


def _ran(receipt: Receipt) -> bool:
    return any(isinstance(event, AgentEnd) for event in receipt.events)


def _links(receipt: Receipt, at: Verification, facts: TaskFacts) -> list[tuple[str, Digest]]:
    """The spine that a journal calls for; a cassette, a workspace and a grade only where the journal has them.

    Which cassette it is stands in the spine alone; that it is the journal's is looked at where the cassette is opened.
    """
    events, cassette = receipt.events, receipt.link("cassette")
    links = [
        ("suite", at.bundle.suite_hash),
        ("task", facts.task.task_hash),
        ("workspace.base", facts.task.workspace),
        ("agent", at.agent),
        ("config", at.config),
    ]
    for event in events:
        if isinstance(event, AgentEnd) and at.bundle.config.recording == "cassette" and cassette is not None:
            links.append(("cassette", cassette))
        elif isinstance(event, WorkspaceSealed):
            links.append(("workspace.final", event.tree))
        elif isinstance(event, GradeDone):
            links.append(("grade", event.grade))
    return links
