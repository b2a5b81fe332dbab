"""Drawn tables with known damage: what is given, what a repair must make of it, and what it must reject."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from tallystick.suites.families.draws import Draws

__all__ = ["COLUMNS", "DAMAGES", "House", "Sheet", "draw_house", "draw_sheet", "written"]

COLUMNS: Final = ("id", "day", "item", "kind", "count", "cents", "total", "balance", "note")
DAMAGES: Final[Mapping[str, tuple[str, ...]]] = {
    "formats": ("dotted_day", "slashed_day", "alias", "shouted", "padded", "separated", "mojibake"),
    "amounts": ("no_count", "no_cents", "no_total", "slip"),
    "rejects": (
        "bad_id",
        "bad_day",
        "early_day",
        "bad_item",
        "bad_kind",
        "no_number",
        "nothing",
        "wrong_total",
        "two_missing",
        "inexact",
    ),
    "balances": ("wrong_balance", "no_balance", "overdrawn", "to_the_floor"),
    "duplicates": ("repeated", "repeated_otherwise", "same_id"),
}
"""Kinds of damage by group. Each stands in every sheet of its group."""

_NOTES: Final = ("Zürich", "Łódź", "for Ørsted, urgent", "café", "plain", "", "Bergün", "two, three", "Nîmes")

Cells = dict[str, str]


@dataclass(frozen=True, slots=True)
class House:
    """Names and rules of one drawn table. `aliases` are other names of items; a negative count turns the kind if `turns`."""

    prefix: str
    items: tuple[str, ...]
    aliases: Mapping[str, str]
    kinds: tuple[str, str]
    separator: str
    year: int
    floor: int
    turns: bool


@dataclass(slots=True)
class Sheet:
    """A table as it is given, its rows as they must be, and (row, reason) of the others; the header is row 1."""

    given: list[list[str]] = field(default_factory=list)
    clean: list[list[str]] = field(default_factory=list)
    rejects: list[list[str]] = field(default_factory=list)
    balances: dict[str, int] = field(default_factory=dict)
    number: int = 0

    def keep(self, given: Cells, right: Cells) -> None:
        """Add a row that a repair must make `right`; its count changes the balance."""
        self.balances[right["item"]] = int(right["balance"])
        self.given.append(list(given.values()))
        self.clean.append(list(right.values()))

    def reject(self, given: Cells, reason: str) -> None:
        """Add a row that must be rejected."""
        self.given.append(list(given.values()))
        self.rejects.append([str(len(self.given) + 1), reason])


def draw_house(draws: Draws) -> House:
    """Names and rules."""
    items = draws.pick(
        (
            ("rope", "sail", "anchor", "lamp"),
            ("flour", "sugar", "yeast", "salt"),
            ("brick", "tile", "beam", "slate"),
            ("paper", "ink", "glue", "card"),
            ("seed", "soil", "pot", "twine"),
            ("wax", "wick", "oil", "jar"),
        )
    )
    others = draws.sample(("article A", "no. 7", "stock X", "old stock", "the usual", "item Q"), 2)
    return House(
        prefix="".join(draws.sample("ABCDEFGHKLMNPRSTVWZ", 2)),
        items=items,
        aliases=dict(zip(others, draws.sample(items, 2), strict=True)),
        kinds=draws.pick((("in", "out"), ("bought", "sold"), ("came", "went"), ("plus", "minus"))),
        separator=draws.pick(("'", " ", "_")),
        year=draws.between(2001, 2024),
        floor=-draws.pick((0, 0, 5, 20, 50)),
        turns=draws.chance(1, 2),
    )


def draw_sheet(draws: Draws, house: House, groups: Sequence[str]) -> Sheet:
    """A table with every damage of some groups, in drawn order among sound rows."""
    sheet = Sheet()
    for item in house.items:
        _add(draws, house, sheet, "", item=item)
    damages = [damage for group in groups for damage in DAMAGES[group]]
    if {"formats", "rejects"} & set(groups):
        damages += ["negative"] if house.turns == ("formats" in groups) else []
    for damage in draws.shuffled([*damages, "", "", ""]):
        items = tuple(house.aliases.values()) if damage == "alias" else house.items
        _add(draws, house, sheet, damage, item=draws.pick(items))
    return sheet


def _sound(draws: Draws, house: House, sheet: Sheet, item: str) -> Cells:
    """A sound row; the first ones of a table bring more than the later ones take."""
    sheet.number += draws.between(1, 4)
    first = item not in sheet.balances
    before = sheet.balances.get(item, 0)
    count = draws.between(1500, 9000) if first else draws.between(10, 48)
    comes = first or draws.chance(1, 2)
    cents = draws.between(3, 900)
    balance = before + count if comes else before - count
    day = f"{house.year}-{draws.between(1, 12):02d}-{draws.between(1, 28):02d}"
    kind = house.kinds[0 if comes else 1]
    numbers = (str(count), str(cents), str(count * cents), str(balance))
    cells = (f"{house.prefix}-{sheet.number:04d}", day, item, kind, *numbers, draws.pick(_NOTES))
    return dict(zip(COLUMNS, cells, strict=True))


def _add(draws: Draws, house: House, sheet: Sheet, damage: str, *, item: str) -> None:
    right = _sound(draws, house, sheet, item)
    if damage in DAMAGES["duplicates"]:
        _repeat(draws, sheet, damage)
    elif damage in DAMAGES["balances"]:
        _unbalance(draws, house, sheet, damage, right)
    elif damage in DAMAGES["rejects"] or (damage == "negative" and not house.turns):
        cell, text, reason = _ruined(draws, house, damage, right)
        sheet.reject(right | {cell: text} | ({"count": ""} if damage in {"two_missing", "inexact"} else {}), reason)
    else:
        right, given = _mended(draws, house, damage, right)
        sheet.keep(given, right)


def _mended(draws: Draws, house: House, damage: str, right: Cells) -> tuple[Cells, Cells]:
    """A row as it must be, and as it is given."""
    year, month, day = right["day"].split("-")
    count, cents = int(right["count"]), int(right["cents"])
    if damage == "alias":
        return right, right | {"item": next(name for name, item in house.aliases.items() if item == right["item"])}
    if damage == "mojibake":
        note = draws.pick(("Zürich", "Nîmes, later", "café"))
        return right | {"note": note}, right | {"note": note.encode().decode("latin-1")}
    if damage == "separated":
        return right, right | {"count": f"{str(count)[0]}{house.separator}{str(count)[1:]}"}
    changes: dict[str, Cells] = {
        "dotted_day": {"day": f"{int(day)}.{int(month)}.{year}"},
        "slashed_day": {"day": f"{year}/{month}/{day}"},
        "shouted": {"item": right["item"].upper(), "kind": right["kind"].capitalize()},
        "padded": {"item": f" {right['item']} ", "day": f"{right['day']} ", "count": f" {count}"},
        "negative": {"count": f"-{count}", "kind": house.kinds[0] if right["kind"] == house.kinds[1] else house.kinds[1]},
        "no_count": {"count": ""},
        "no_cents": {"cents": ""},
        "no_total": {"total": ""},
        "slip": {"total": str(count * cents * 100)},
    }
    return right, right | changes.get(damage, {})


def _ruined(draws: Draws, house: House, damage: str, right: Cells) -> tuple[str, str, str]:
    """The cell of a row that makes it useless, what stands there, and the reason to be given."""
    year, total, cents = house.year, int(right["total"]), int(right["cents"])
    told = {
        "bad_id": ("id", draws.pick((right["id"].lower(), right["id"] + "1", right["id"].replace("-", ""))), "id"),
        "bad_day": ("day", draws.pick((f"30.2.{year}", f"{year}-13-01", f"{year}/04/31", f"{year}-1", "")), "day"),
        "early_day": ("day", draws.pick((f"{year - 1}-12-31", f"1.1.{year + 1}")), "day"),
        "bad_item": ("item", draws.pick(("box", "", right["item"][:-1])), "item"),
        "bad_kind": ("kind", draws.pick(("", "moved", right["kind"] + "?")), "kind"),
        "no_number": ("count", draws.pick(("some", "1.5", "12x")), "count"),
        "nothing": ("count", "0", "count"),
        "negative": ("count", f"-{right['count']}", "count"),
        "wrong_total": ("total", str(total + draws.between(1, 2)), "amounts"),
        "two_missing": ("total", "", "amounts"),
        "inexact": ("total", str(total + draws.between(1, cents - 1)), "amounts"),
    }
    return told[damage]


def _unbalance(draws: Draws, house: House, sheet: Sheet, damage: str, right: Cells) -> None:
    """A wrong or missing balance, or a row that takes more than there is, or exactly what there is."""
    if damage in {"wrong_balance", "no_balance"}:
        text = "" if damage == "no_balance" else str(int(right["balance"]) + draws.between(1, 9))
        sheet.keep(right | {"balance": text}, right)
        return
    most = sheet.balances[right["item"]] - house.floor
    count = most + draws.between(1, 9) if damage == "overdrawn" else most
    taken = right | {"kind": house.kinds[1], "count": str(count), "total": str(count * int(right["cents"]))}
    taken["balance"] = str(sheet.balances[right["item"]] - count)
    if damage == "overdrawn":
        sheet.reject(taken, "balance")
    else:
        sheet.keep(taken, taken)
        more = _sound(draws, house, sheet, right["item"])
        more |= {"kind": house.kinds[0], "balance": str(sheet.balances[right["item"]] + int(more["count"]))}
        more |= _refill(more)
        sheet.keep(more, more)


def _refill(row: Cells) -> Cells:
    """The row with so many more that later ones have something to take."""
    count = int(row["count"]) + 3000
    return row | {
        "count": str(count),
        "total": str(count * int(row["cents"])),
        "balance": str(int(row["balance"]) + 3000),
    }


def _repeat(draws: Draws, sheet: Sheet, damage: str) -> None:
    """A row that is there already: the same, written otherwise, or with other content."""
    row = dict(zip(COLUMNS, draws.pick(sheet.clean), strict=True))
    if damage == "same_id":
        sheet.reject(row | {"note": row["note"] + "!"}, "repeated")
    elif damage == "repeated_otherwise":
        year, month, day = row["day"].split("-")
        sheet.given.append(list((row | {"day": f"{int(day)}.{int(month)}.{year}", "item": row["item"].upper()}).values()))
    else:
        sheet.given.append(list((row | {"balance": draws.pick(("", row["balance"]))}).values()))


def written(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """CSV with a header."""
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\n").writerows([header, *rows])
    return stream.getvalue()
