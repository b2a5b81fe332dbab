"""Whether the harness, and an orchestrator that reports to it, decided the same in every attempt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest

import msgspec

from tallystick.core.digest import Digest
from tallystick.core.visible import written_out
from tallystick.records.bundle import Coordination, TaskCoordination
from tallystick.records.journal import LANES, Decision, Event, kind_of

__all__ = ["LaneDifference", "coordinate", "decisions_of", "first_difference"]

_SHOWN = 80
"""Characters of a decision's text in a message."""


def coordinate(roots: Mapping[str, Sequence[Digest]]) -> Coordination:
    """Compare the coordination roots of each task's attempts, by task id in suite order and attempt order.

    Where they differ, `root` is the first attempt's.
    """
    tasks = tuple(
        TaskCoordination(task_id=task_id, identical=len(set(found)) == 1, root=found[0]) for task_id, found in roots.items()
    )
    return Coordination(identical=all(task.identical for task in tasks), tasks=tasks)


@dataclass(frozen=True, slots=True)
class LaneDifference:
    """Where two coordination lanes part. `position` counts decisions from 1, 0 is before them. Both texts are for people."""

    position: int
    one: str
    other: str


def decisions_of(events: Sequence[Event]) -> tuple[Decision, ...]:
    """What an orchestrator reported, in order."""
    return tuple(event for event in events if isinstance(event, Decision))


def first_difference(one: Sequence[Event], other: Sequence[Event]) -> LaneDifference | None:
    """The first event in which two journals' coordination lanes differ, or None where they are the same."""
    position = 0
    for mine, theirs in zip_longest(_lane(one), _lane(other)):
        position += isinstance(mine, Decision) or isinstance(theirs, Decision)
        if mine != theirs:
            return LaneDifference(position, _shown(mine), _shown(theirs))
    return None


def _lane(events: Sequence[Event]) -> list[Event]:
    """The coordination lane, each event with its place in it as `seq`."""
    lane = (event for event in events if LANES[kind_of(event)] == "coordination")
    return [msgspec.structs.replace(event, seq=place) for place, event in enumerate(lane)]


def _shown(event: Event | None) -> str:
    if event is None:
        return "nothing more"
    if isinstance(event, Decision):
        return f'{event.name} "{written_out(event.text[:_SHOWN])}"' if event.text else event.name
    return kind_of(event)
