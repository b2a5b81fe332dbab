"""What the build must deliver: data of a drawn shop, and the files that docs/DELIVERY.md promises for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from tallystick.suites.families.draws import Draws

__all__ = ["FIELDS", "ROLES", "Goods", "Shop", "delivered", "draw_goods", "draw_shop"]

ROLES: Final = ("release", "list", "groups", "notes", "labels", "all")
"""Targets, in an order in which each needs earlier ones only."""
FIELDS: Final = ("code", "name", "group", "amount", "state")


@dataclass(frozen=True, slots=True)
class _Theme:
    site: str
    names: Mapping[str, str]
    things: tuple[str, ...]
    groups: tuple[str, ...]
    good: str
    bad: tuple[str, ...]


def _theme(site: str, names: str, things: str, groups: str, states: str) -> _Theme:
    good, *bad = states.split()
    roles = dict(zip(ROLES, names.split(), strict=True))
    return _Theme(site, roles, tuple(things.split()), tuple(groups.split()), good, tuple(bad))


_THEMES: Final = (
    _theme(
        "Nurserie Vert",
        "imprint plants beds diary tags almanac",
        "fern rose yew mint sage iris lily moss thyme oak",
        "shade sun pond wall pots",
        "grown ungrown overgrown grown-soon",
    ),
    _theme(
        "Café Zorn",
        "colophon cakes trays news cards booklet",
        "tart bun roll cake pie scone torte bread wafer eclair",
        "sweet salt rich dry cold",
        "baked unbaked half-baked baked-twice",
    ),
    _theme(
        "Müller Tools",
        "edition tools racks log stickers handbook",
        "saw axe file drill plane vice clamp chisel rasp level",
        "wood steel stone paint yard",
        "sold unsold resold sold-out",
    ),
    _theme(
        "Biblio Étage",
        "issue books rooms letter slips yearbook",
        "atlas novel poem diary essay saga comic score guide myth",
        "north south attic cellar hall",
        "lent unlent relent lent-long",
    ),
    _theme(
        "Château Lune",
        "masthead rooms floors gazette keys folder",
        "amber azure coral ivory jade onyx pearl ruby topaz opal",
        "tower court garden lake gate",
        "open reopen unopen open-soon",
    ),
    _theme(
        "Halle Süd",
        "title stalls aisles bulletin plates program",
        "cheese eggs fish honey jam leek nuts olives peas wine",
        "left right middle front back",
        "let sublet outlet let-later",
    ),
)
_ACCENTS: Final = ("é", "ü", "ö", "à", "ñ")


@dataclass(frozen=True, slots=True)
class Shop:
    """What two instances differ in, apart from data and faults."""

    theme: _Theme
    delimiter: str
    order: tuple[str, ...]
    """Names of the fields of data/items.txt, in their order."""
    shown: tuple[str, ...]
    joined: str
    comment: str
    draft: str
    parts: tuple[str, ...]
    """Roles that `all` is made of."""

    def name(self, role: str) -> str:
        """The name of the target that plays a role."""
        return self.theme.names[role]


@dataclass(frozen=True, slots=True)
class Goods:
    """Data: rows of (code, name, group, amount, state), notes by file name, values of the site."""

    rows: tuple[tuple[str, ...], ...]
    notes: Mapping[str, str]
    values: Mapping[str, str]


def draw_shop(draws: Draws) -> Shop:
    """A shop."""
    return Shop(
        theme=draws.pick(_THEMES),
        delimiter=draws.pick((";", ",", "|")),
        order=tuple(draws.shuffled(FIELDS)),
        shown=tuple(draws.shuffled(("code", "name", "amount"))),
        joined=draws.pick((" - ", " / ", ": ", "  ")),
        comment=draws.pick(("%%", "//", "--")),
        draft=draws.pick(("_", "0", "+")),
        parts=tuple(draws.shuffled(("release", "groups", "notes", "labels"))),
    )


def draw_goods(shop: Shop, draws: Draws) -> Goods:
    """Data on which every fault of `faults` shows."""
    return Goods(
        rows=_rows(shop, draws),
        notes=_notes(shop, draws),
        values={
            "version": f"{draws.between(1, 9)}.{draws.between(1, 20)}",
            "title": f"{shop.theme.site} {draws.pick(('spring', 'summer', 'autumn', 'winter'))}",
            "edition": f"{draws.between(30, 99)}",
            "base": f"https://{draws.pick(shop.theme.things)}.example",
        },
    )


def _rows(shop: Shop, draws: Draws) -> tuple[tuple[str, ...], ...]:
    theme = shop.theme
    things = draws.shuffled(theme.things)
    last, *others = sorted(draws.sample(theme.groups, 4), reverse=True)
    groups = [last, *draws.shuffled(others)]
    amounts = [9, 100, 10, 10, draws.between(11, 99), draws.between(101, 999), draws.between(2, 8), draws.between(11, 99)]
    states = [theme.good] * 6 + list(theme.bad)
    rows = []
    for at, state in enumerate(states):
        name = f"{things[at]} {draws.pick(_ACCENTS)}{draws.between(1, 9)}"
        group = groups[(0, 2, 0, 1, 2, 1)[at] if at < 6 else at % 4]  # noqa: PLR2004  # six good rows
        rows.append((f"{draws.pick('KLMNP')}{draws.between(100, 999)}", name, group, str(amounts[at % 8]), state))
    rows.append(("A001", theme.good, groups[3], "50", theme.bad[0]))
    head, *rest = rows
    return (head, *draws.shuffled(rest))


def _notes(shop: Shop, draws: Draws) -> dict[str, str]:
    things = draws.sample(shop.theme.things, 6)
    kept = [
        f"More {things[0]} {shop.comment} and less {things[1]}.\n{shop.comment} not {things[2]}\nNo {things[2]}.\n",
        f"{shop.comment}{things[3]}\nAll {things[4]}, {draws.between(2, 40)} of them.\n",
        f"The last {things[5]}.\n",
    ]
    notes = {f"{number:02}-{things[number % 6]}.md": text for number, text in zip((10, 20, 31), kept, strict=True)}
    return notes | {f"{shop.draft}{things[1]}.md": f"A draft about {things[0]}.\n"}


def delivered(shop: Shop, goods: Goods) -> dict[str, bytes]:
    """The content of each target's file, by role."""
    lines = _lines(shop, goods)
    texts = {role: "".join(f"{line}\n" for line in lines[role]).encode() for role in ROLES}
    return texts | {"labels": "".join(f"{line}\r\n" for line in lines["labels"]).encode("latin-1")}


def _lines(shop: Shop, goods: Goods) -> dict[str, Sequence[str]]:
    good = [dict(zip(FIELDS, row, strict=True)) for row in goods.rows if row[4] == shop.theme.good]
    listed = [shop.joined.join(row[field] for field in shop.shown) for row in sorted(good, key=lambda row: int(row["amount"]))]
    values = goods.values
    kept = [text for name, text in sorted(goods.notes.items()) if not name.startswith(shop.draft)]
    notes = [line for text in kept for line in text.splitlines() if not line.startswith(shop.comment)]
    made: dict[str, Sequence[str]] = {
        "release": [
            f"title: {values['title']}",
            f"version: {values['version']}",
            f"address: {values['base']}/v{values['version']}",
        ],
        "list": listed,
        "groups": sorted({row["group"] for row in good}),
        "notes": [f"# {values['title']}, {values['edition']}", *notes],
        "labels": [f"[{values['version']}] {line}" for line in listed],
    }
    return made | {"all": [line for role in shop.parts for line in made[role]] + [f"end of {values['title']}"]}
