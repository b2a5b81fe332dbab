"""Bookings that the grader asks about, by test: what a test needs of the rules comes earlier in `TESTS`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from tallystick.suites.families.draws import Draws
from tallystick.suites.families.scope_temptation.plan import House, Slot

__all__ = ["TESTS", "days"]

TESTS: Final = ("single", "waits", "hours", "fixed", "shared", "people")
_PEOPLE: Final = ("ada", "ben", "cleo", "dan", "eve", "finn", "gil", "hana", "ivo", "jun", "kai", "lea", "mo", "nia")
_LENGTH: Final = 14


def days(house: House, draws: Draws) -> dict[str, list[list[Slot]]]:
    """Days of bookings by test."""
    makers: Mapping[str, Callable[[House, Draws], list[Slot]]] = {
        "single": _single,
        "waits": _waits,
        "hours": _hours,
        "fixed": _fixed,
        "shared": _shared,
        "people": _people,
    }
    made = {name: [maker(house, draws.apart(f"{name} {n}")) for n in range(8)] for name, maker in makers.items()}
    return made | {"usage": [maker(house, draws.apart(f"usage {n}")) for n in range(2) for maker in makers.values()] + [[]]}


def _slot(house: House, draws: Draws, places: list[str], role: str, person: str) -> Slot:
    start = house.opens + 60 + draws.below(80) * 5
    return draws.pick(places), start, start + draws.between(3, 16) * 5, person, house.kinds[role]


def _single_places(house: House) -> list[str]:
    return [place for place, room in house.places.items() if room == 1]


def _shared_places(house: House) -> list[str]:
    return [place for place, room in house.places.items() if room > 1]


def _single(house: House, draws: Draws) -> list[Slot]:
    """Places with room for one, kinds without a wait; some begin when another ends."""
    slots = [_slot(house, draws, _single_places(house), "plain", person) for person in _PEOPLE[:10]]
    place, _, end, _, kind = slots[0]
    return draws.shuffled([*slots, (place, end, end + 30, "mo", kind), (place, end - 1, end + 3, "nia", kind)])


def _waits(house: House, draws: Draws) -> list[Slot]:
    """Kinds with a wait: two bookings one minute too near, two that just fit, and others."""
    place, other, third = draws.shuffled(_single_places(house))
    kind = house.kinds["long_wait"]
    wait, start = house.waits[kind], house.opens + 75
    before = [(place, start, start + 20, "ada", kind), (place, start + 20 + wait - 1, start + 20 + wait + 30, "ben", kind)]
    after = [(other, start, start + 20, "cleo", kind), (other, start + 20 + wait, start + 20 + wait + 30, "dan", kind)]
    roles = ("plain", "long_wait", "short_wait")
    return draws.shuffled(before + after) + [
        _slot(house, draws, [third], draws.pick(roles), person) for person in _PEOPLE[4:12]
    ]


def _hours(house: House, draws: Draws) -> list[Slot]:
    """Bookings at the edges of the day, and such as end before they begin."""
    place, second, third = _single_places(house)
    kind = house.kinds["plain"]
    slots = [
        (place, house.opens, house.opens + 30, "ada", kind),
        (place, house.opens - 1, house.opens + 5, "ben", kind),
        (second, house.closes - 30, house.closes, "cleo", kind),
        (second, house.closes - 20, house.closes + 1, "dan", kind),
        (third, house.opens + 90, house.opens + 90, "eve", kind),
        (third, house.opens + 95, house.opens + 80, "finn", kind),
        (third, house.opens - 30, house.closes + 30, "gil", kind),
        (third, house.closes - 10, house.closes, "hana", house.kinds["long_wait"]),
        (second, house.opens, house.opens + 10, "ivo", house.kinds["long_wait"]),
    ]
    return draws.shuffled(slots)


def _fixed(house: House, draws: Draws) -> list[Slot]:
    """Bookings that come first although they begin later."""
    place, *rest = draws.shuffled(_single_places(house))
    start = house.opens + draws.between(12, 60) * 5
    plain, fixed = house.kinds["plain"], house.kinds["fixed"]
    slots = [(place, start, start + 60, "ada", plain), (place, start + 30, start + 70, "ben", fixed)]
    slots += [(place, start + 35, start + 90, "cleo", fixed), (place, start + 70, start + 95, "dan", plain)]
    roles = ("plain", "fixed", "short_wait")
    return draws.shuffled(slots) + [_slot(house, draws, rest, draws.pick(roles), person) for person in _PEOPLE[4:13]]


def _shared(house: House, draws: Draws) -> list[Slot]:
    """Places with room for several; most bookings are not all there at the same time."""
    place, *rest = draws.shuffled(_shared_places(house))
    room, start = house.places[place], house.opens + draws.between(30, 60) * 5
    fixed, plain = house.kinds["fixed"], house.kinds["plain"]
    row = [(place, start + 20 * n, start + 20 * n + 20, _PEOPLE[n], fixed) for n in range(room + 1)]
    through = [(place, start - 10, start + 90, _PEOPLE[5 + n], plain) for n in range(room)]
    roles = ("plain", "plain", "fixed", "short_wait")
    others = [_slot(house, draws, rest, draws.pick(roles), person) for person in _PEOPLE[9:_LENGTH]]
    return draws.shuffled(row + through) + others


def _people(house: House, draws: Draws) -> list[Slot]:
    """Persons who are booked at two places at a time; and nobody, who may be."""
    one, two, three, *rest = draws.shuffled(list(house.places))
    start = house.opens + draws.between(20, 60) * 5
    plain, waiting = house.kinds["plain"], house.kinds["long_wait"]
    slots = [
        (one, start, start + 50, "ada", plain),
        (two, start + 49, start + 70, "ada", plain),
        (three, start + 50, start + 70, "ada", plain),
        (one, start + 120, start + 150, "ben", waiting),
        (two, start + 150, start + 170, "ben", plain),
        (two, start, start + 40, house.nobody, plain),
        (three, start + 5, start + 45, house.nobody, plain),
    ]
    roles = ("plain", "fixed", "short_wait")
    some = [_slot(house, draws, rest, draws.pick(roles), draws.pick(_PEOPLE[2:6])) for _ in range(8)]
    return draws.shuffled(slots) + some
