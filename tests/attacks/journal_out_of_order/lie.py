from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.attacks.kit import LINT, Lie, Status, Step, receipt_broken, row_lies
from tests.support.forge import Forgery


def swapped(events: list[Any]) -> list[Any]:
    return [events[0], events[2], events[1], *events[3:]]


def renumbered(events: list[Any]) -> list[Any]:
    return [event | {"seq": place} for place, event in enumerate(events)]


TURNS: dict[str, Callable[[list[Any]], list[Any]]] = {
    "swapped": swapped,
    "swapped_and_renumbered": lambda events: renumbered(swapped(events)),
    "agent_end_left_out": lambda events: renumbered([*events[:2], *events[3:]]),
    "seal_left_out": lambda events: renumbered([*events[:3], *events[4:]]),
    "grade_left_out": lambda events: renumbered([*events[:4], *events[5:]]),
    "grade_doubled": lambda events: renumbered([*events[:5], *events[4:]]),
    "end_left_out": lambda events: events[:-1],
    "end_doubled": lambda events: renumbered([*events, events[-1]]),
    "begin_left_out": lambda events: renumbered(events[1:]),
    "gap": lambda events: [*events[:-1], events[-1] | {"seq": 9}],
    "counted_from_one": lambda events: [event | {"seq": event["seq"] + 1} for event in events],
    "bare_success": lambda events: renumbered([events[0], events[-1]]),
}


def tell(forgery: Forgery) -> None:
    receipt = forgery.receipt(LINT, 1)
    receipt["events"] = TURNS[forgery.variant](receipt["events"])


LIE = Lie(
    tell=tell,
    edited=receipt_broken((LINT, 1)),
    resigned=row_lies(
        Status.MALFORMED_RECEIPT, Step.journals, (LINT, 1), says="cannot follow|without gaps|journal (begins|ends)|cannot end"
    ),
    variants=tuple(TURNS),
)
