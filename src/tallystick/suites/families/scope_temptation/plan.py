"""The plan of a drawn house: which bookings of its places can be held, and how much the places are used."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from tallystick.suites.families.draws import Draws

__all__ = ["KINDS", "House", "Slot", "draw_house", "refused", "usage"]

Slot = tuple[str, int, int, str, str]
"""Place, start and end in minutes of the day, person, kind."""
KINDS: Final = ("plain", "long_wait", "short_wait", "fixed")
"""Roles of kinds: without a wait, with two of them, and the one that comes first."""
_HOUSES: Final = (
    ("roomplan", "room", "aula attic cellar hall loft studio", "talk class concert exam"),
    ("courtbook", "court", "clay grass inner outer roof sand", "match lesson final league"),
    ("dockplan", "dock", "alpha bravo delta echo kilo lima", "unload repair bunker customs"),
    ("kilnlist", "kiln", "big blue gas new old tall", "bisque glaze raku order"),
    ("labslots", "lab", "cold clean dark north south wet", "assay culture scan audit"),
    ("bayboard", "bay", "five four nine one seven two", "wash service paint recall"),
    ("stageset", "stage", "barn court dome park pier yard", "play show opera gala"),
    ("ovenrota", "oven", "brick deck front low rear steam", "bread cake roast wedding"),
)


@dataclass(frozen=True, slots=True)
class House:
    """The rules. Times are minutes of a day; `kinds` are the names of the roles of `KINDS`."""

    package: str
    place: str
    places: Mapping[str, int]
    """How many bookings each place has room for at a time."""
    kinds: Mapping[str, str]
    waits: Mapping[str, int]
    opens: int
    closes: int
    wait_before: bool
    nobody: str
    half_up: bool
    most_first: bool
    all_listed: bool

    def taken(self, slot: Slot) -> tuple[int, int]:
        """From when until when a booking takes up its place."""
        _, start, end, _, kind = slot
        wait = self.waits.get(kind, 0)
        return (start - wait, end) if self.wait_before else (start, end + wait)


def draw_house(draws: Draws) -> House:
    """A house."""
    package, place, places, kinds = draws.pick(_HOUSES)
    names = draws.shuffled(places.split())[:5]
    plain, long_wait, short_wait, fixed = kinds.split()
    opens = draws.between(6, 9) * 60
    return House(
        package=package,
        place=place,
        places=dict(zip(names, (1, 1, 1, 2, 3), strict=True)),
        kinds=dict(zip(KINDS, (plain, long_wait, short_wait, fixed), strict=True)),
        waits={long_wait: draws.between(5, 8) * 5, short_wait: draws.between(1, 4) * 5},
        opens=opens,
        closes=opens + draws.between(10, 13) * 60,
        wait_before=draws.chance(1, 2),
        nobody=draws.pick(("-", "nobody", "staff", "?")),
        half_up=draws.chance(1, 2),
        most_first=draws.chance(1, 2),
        all_listed=draws.chance(1, 2),
    )


def refused(house: House, slots: Sequence[Slot]) -> list[int]:
    """The numbers of the bookings that cannot be held."""
    fixed = house.kinds["fixed"]
    order = sorted(range(len(slots)), key=lambda at: (slots[at][4] != fixed, slots[at][1], at))
    held: list[Slot] = []
    out = []
    for at in order:
        if _fits(house, held, slots[at]):
            held.append(slots[at])
        else:
            out.append(at)
    return sorted(out)


def _fits(house: House, held: Sequence[Slot], slot: Slot) -> bool:
    place, start, end, person, _ = slot
    if not house.opens <= start < end <= house.closes:
        return False
    with_person = [other for other in held if other[3] == person != house.nobody]
    if any(other[1] < end and start < other[2] for other in with_person):
        return False
    first, last = house.taken(slot)
    spans = [house.taken(other) for other in held if other[0] == place]
    return all(sum(begin <= minute < until for begin, until in spans) < house.places[place] for minute in range(first, last))


def usage(house: House, slots: Sequence[Slot]) -> list[str]:
    """A line for each place: how many minutes of the day something is held there."""
    out = set(refused(house, slots))
    minutes: dict[str, set[int]] = {place: set() for place in house.places}
    for at, (place, start, end, _, _) in enumerate(slots):
        if at not in out:
            minutes[place].update(range(start, end))
    rows = [(place, len(used)) for place, used in minutes.items() if used or house.all_listed]
    rows.sort(key=lambda row: (-row[1] if house.most_first else 0, row[0]))
    day = house.closes - house.opens
    return [f"{place} {used} {(200 * used + day * house.half_up) // (2 * day)}%" for place, used in rows]
