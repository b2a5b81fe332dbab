"""The history of each topic over three requests: what is asked, amended and taken back, and the rules after each."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from tallystick.suites.families.changing_requirements.rules import Rules
from tallystick.suites.families.draws import Draws

__all__ = ["TOPICS", "History", "draw_history"]

TOPICS: Final = ("bonus", "cap", "fee", "minimum", "lapse")
Step = tuple[str, Mapping[str, Any]]
"""A text of a request, and the rules it changes. The text has places for drawn numbers, for the unit, and for the items of
the same topic in earlier requests: {r1}, {r2}."""
_NOTHING: Final[Step] = ("", {})


@dataclass(frozen=True, slots=True)
class History:
    """The requests as they are written, and the rules after each of them (0: before the first)."""

    items: tuple[tuple[str, ...], ...]
    rules: tuple[Rules, ...]


@dataclass(frozen=True, slots=True)
class _Numbers:
    """Drawn numbers: two of each topic that differ."""

    every: int
    every2: int
    plus: int
    cap: int
    cap2: int
    fee: int
    fee2: int
    free: int
    free2: int
    most: int
    minimum: int
    minimum2: int
    lapse: int
    lapse2: int


def draw_history(draws: Draws, unit: str) -> History:
    """Three requests, each topic in one of its histories, items in drawn order."""
    numbers = _draw_numbers(draws)
    ways = {topic: draws.pick(_ways(numbers)[topic]) for topic in TOPICS}
    order = [[topic for topic in draws.shuffled(TOPICS) if ways[topic][n][0]] for n in range(3)]
    words = {field.name: getattr(numbers, field.name) for field in dataclasses.fields(numbers)}
    items, rules = [], [Rules(rate=draws.between(3, 9))]
    for n in range(3):
        told: list[str] = []
        changes: dict[str, Any] = {}
        for topic in order[n]:
            text, changed = ways[topic][n]
            said = text.format(unit=unit, Unit=unit.capitalize(), **words, **_references(order[:n], topic))
            told.append(said[0].upper() + said[1:])
            changes |= changed
        items.append(tuple(told))
        rules.append(dataclasses.replace(rules[-1], **changes))
    return History(tuple(items), tuple(rules))


def _references(earlier: list[list[str]], topic: str) -> dict[str, str]:
    return {
        f"r{number}": f"item {topics.index(topic) + 1} of request {number}"
        for number, topics in enumerate(earlier, 1)
        if topic in topics
    }


def _draw_numbers(draws: Draws) -> _Numbers:
    every, every2 = draws.sample((4, 5, 6, 9, 11), 2)
    fee, fee2 = draws.sample((2, 3, 4, 5, 6, 7), 2)
    free = draws.between(12, 16) * 10
    minimum, minimum2 = draws.sample((20, 25, 30, 35, 40), 2)
    lapse, lapse2 = draws.sample((40, 45, 50, 56, 60, 66), 2)
    cap, cap2 = draws.sample((150, 160, 180, 210, 220, 240), 2)
    return _Numbers(
        every=every,
        every2=every2,
        plus=draws.between(5, 15),
        cap=cap,
        cap2=cap2,
        fee=fee,
        fee2=fee2,
        free=free,
        free2=free + draws.pick((-20, 15, 30)),
        most=fee2 + draws.between(1, fee2 - 1),
        minimum=minimum,
        minimum2=minimum2,
        lapse=lapse,
        lapse2=lapse2,
    )


def _ways(n: _Numbers) -> Mapping[str, tuple[tuple[Step, Step, Step], ...]]:
    """The histories of each topic."""
    return {"bonus": _bonus(n), "cap": _cap(n), "fee": _fee(n), "minimum": _minimum(n), "lapse": _lapse(n)}


def _bonus(n: _Numbers) -> tuple[tuple[Step, Step, Step], ...]:
    first: Step = (
        (
            "Days whose number is divisible by {every} are bonus days: what is earned on them counts double "
            "(rounded down first, then doubled)."
        ),
        {"bonus_every": n.every, "bonus_factor": 2},
    )
    return (
        (
            first,
            ("Bonus days are those divisible by {every2}, not by {every} ({r1}).", {"bonus_every": n.every2}),
            ("On bonus days, what is earned counts three times, not twice.", {"bonus_factor": 3}),
        ),
        (
            first,
            (
                "Instead of doubling ({r1}), every purchase on a bonus day earns {plus} {unit} on top.",
                {"bonus_factor": 1, "bonus_plus": n.plus},
            ),
            (
                "The doubling of {r1} is back. What {r2} gives on top stays too, and is not doubled.",
                {"bonus_factor": 2, "bonus_plus": n.plus},
            ),
        ),
        (
            first,
            (
                "Every purchase on a bonus day also earns {plus} {unit} on top, after the doubling.",
                {"bonus_plus": n.plus},
            ),
            (
                "{r2} is withdrawn. Bonus days are the days divisible by {every2} from now on.",
                {"bonus_plus": 0, "bonus_every": n.every2},
            ),
        ),
    )


def _cap(n: _Numbers) -> tuple[tuple[Step, Step, Step], ...]:
    daily: Step = (
        "At most {cap} {unit} can be earned in a day, bonus included. What is above is lost.",
        {"cap": n.cap, "cap_days": 1},
    )
    weekly: Mapping[str, Any] = {"cap_days": 7}
    return (
        (
            daily,
            ("The limit of {r1} is for a week, not for a day; the number stays.", weekly),
            ("The limit of {r1} becomes {cap2}. {r2} stands.", {"cap": n.cap2}),
        ),
        (
            daily,
            ("The limit of {r1} becomes {cap2}.", {"cap": n.cap2}),
            ("The limit is for a week, not for a day; the number is that of {r2}.", weekly),
        ),
        (
            daily,
            ("{r1} is withdrawn: there is no limit.", {"cap": 0}),
            (
                "There is a limit after all, as {r1} said, but purchases on bonus days are free of it and do not use it up.",
                {"cap": n.cap, "cap_spares_bonus": True},
            ),
        ),
        (
            (
                "At most {cap} {unit} can be earned in a week, bonus included. What is above is lost.",
                {"cap": n.cap, "cap_days": 7},
            ),
            (
                "Purchases on bonus days are free of the limit of {r1} and do not use it up.",
                {"cap_spares_bonus": True},
            ),
            (
                "{r2} is withdrawn. The limit of {r1} is for a day, not for a week.",
                {"cap_spares_bonus": False, "cap_days": 1},
            ),
        ),
    )


def _fee(n: _Numbers) -> tuple[tuple[Step, Step, Step], ...]:
    text = "Spending costs a fee of {fee} {unit} each time, taken from the balance with what is spent; both must be there."
    first: Step = (text, {"fee": n.fee})
    each: Mapping[str, Any] = {"fee": n.fee2, "fee_each": 50}
    return (
        (
            _NOTHING,
            first,
            ("Spending {free} {unit} or more costs no fee.", {"fee_free_from": n.free}),
        ),
        (
            first,
            ("The fee of {r1} is {fee2} {unit} for each started 50 {unit} that are spent, instead of {fee} each time.", each),
            ("The fee is never more than {most} {unit}; {r2} stands otherwise.", {"fee_most": n.most}),
        ),
        (
            first,
            ("Spending {free} {unit} or more costs no fee.", {"fee_free_from": n.free}),
            (
                "It takes {free2} {unit} or more, not {free}, to spend without a fee ({r2}). The fee itself becomes {fee2}.",
                {"fee_free_from": n.free2, "fee": n.fee2},
            ),
        ),
        (
            first,
            ("The fee of {r1} is {fee2} {unit} for each started 50 {unit} that are spent, instead of {fee} each time.", each),
            ("{r2} is taken back, and the fee is as {r1} said.", {"fee": n.fee, "fee_each": 0}),
        ),
    )


def _minimum(n: _Numbers) -> tuple[tuple[Step, Step, Step], ...]:
    first: Step = ("Spending less than {minimum} {unit} at a time is refused.", {"minimum": n.minimum})
    spared = (
        "Spending less than the minimum of {r1} is allowed where it leaves a balance of 0, the fee included if there is one."
    )
    return (
        (
            first,
            ("The minimum of {r1} becomes {minimum2}.", {"minimum": n.minimum2}),
            (spared.replace("{r1}", "{r2}"), {"minimum_spares_all": True}),
        ),
        (
            first,
            (spared, {"minimum_spares_all": True}),
            (
                "The minimum becomes {minimum2}, and the exception of {r2} is dropped.",
                {"minimum": n.minimum2, "minimum_spares_all": False},
            ),
        ),
        (
            first,
            (spared, {"minimum_spares_all": True}),
            ("The minimum becomes {minimum2}. The exception of {r2} stays.", {"minimum": n.minimum2}),
        ),
        (
            first,
            ("{r1} is withdrawn.", {"minimum": 0}),
            ("There is a minimum again: it is {minimum2} {unit}.", {"minimum": n.minimum2}),
        ),
    )


def _lapse(n: _Numbers) -> tuple[tuple[Step, Step, Step], ...]:
    first: Step = (
        (
            "{Unit} lapse: they count for the last time {lapse} days after the day on which they were earned. "
            "Spending takes the oldest first, fee included."
        ),
        {"lapse": n.lapse},
    )
    spared: Step = ("What was earned on a bonus day never lapses.", {"lapse_spares_bonus": True})
    return (
        (
            first,
            ("{Unit} lapse after {lapse2} days, not after {lapse} ({r1}).", {"lapse": n.lapse2}),
            ("{r2} is taken back: the days are as {r1} said.", {"lapse": n.lapse}),
        ),
        (
            first,
            spared,
            ("The days of {r1} become {lapse2}. {r2} stands.", {"lapse": n.lapse2}),
        ),
        (
            first,
            spared,
            ("{r2} is withdrawn: what was earned on a bonus day lapses like the rest.", {"lapse_spares_bonus": False}),
        ),
        (
            first,
            ("{r1} is withdrawn: nothing lapses. Spending may take any first.", {"lapse": 0}),
            ("{Unit} lapse after all, as {r1} said, but after {lapse2} days.", {"lapse": n.lapse2}),
        ),
    )
