"""The rules of one drawn program, as its manual page tells them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from tallystick.suites.families.draws import Draws

__all__ = ["MEASURES", "ORDERS", "TAKES", "Domain", "Manual", "draw_manual"]

MEASURES: Final = ("sum", "count", "largest", "smallest", "mean")
ORDERS: Final = ("name", "figure", "seen")
TAKES: Final = ("key", "value", "delimiter", "measure", "order", "top")
"""Roles of options that take a value; the others are flags."""

_SPELLINGS: Final[Mapping[str, tuple[tuple[str, str], ...]]] = {
    "key": (("k", "key"), ("g", "group"), ("b", "by")),
    "value": (("v", "value"), ("a", "amount"), ("f", "figure")),
    "delimiter": (("d", "delimiter"), ("s", "separator")),
    "measure": (("o", "operation"), ("m", "measure")),
    "order": (("S", "sort"), ("O", "order")),
    "reverse": (("r", "reverse"), ("z", "descending")),
    "top": (("n", "top"), ("l", "limit")),
    "fold": (("i", "ignore-case"), ("c", "fold-case")),
    "lenient": (("w", "warn-only"), ("e", "excuse-bad")),
    "total": (("T", "total"), ("G", "grand-total")),
}
_ERRORS: Final = (
    {
        "unknown": "unknown option {opt}",
        "ambiguous": "{opt} is ambiguous",
        "twice": "{opt} is given twice",
        "missing": "{opt} needs a value",
        "superfluous": "{opt} takes no value",
        "refused": "{opt} does not accept '{value}'",
        "clash": "{opt} and {value} exclude each other",
    },
    {
        "unknown": "no such option: {opt}",
        "ambiguous": "{opt}: could be several options",
        "twice": "{opt}: more than once",
        "missing": "no value for {opt}",
        "superfluous": "{opt}: unexpected value",
        "refused": "bad value for {opt}: {value}",
        "clash": "{opt} cannot be used with {value}",
    },
    {
        "unknown": "invalid option '{opt}'",
        "ambiguous": "option '{opt}' is not unique",
        "twice": "option '{opt}' repeated",
        "missing": "option '{opt}' requires a value",
        "superfluous": "option '{opt}' allows no value",
        "refused": "invalid value '{value}' of option '{opt}'",
        "clash": "option '{opt}' conflicts with '{value}'",
    },
)


@dataclass(frozen=True, slots=True)
class Domain:
    """What the program is used for. `names` are keys of sample records, `fillers` other fields."""

    prog: str
    thing: str
    figure: str
    names: tuple[str, ...]
    fillers: tuple[str, ...]


_DOMAINS: Final = (
    Domain("rainsum", "station", "rainfall", ("Arden", "Bexley", "Corby", "Dover", "Elgin"), ("am", "pm", "auto", "hand")),
    Domain("tollsum", "gate", "toll", ("north", "south", "quay", "bridge", "tunnel"), ("car", "van", "bus", "lorry")),
    Domain("shelfsum", "shelf", "weight", ("A-one", "B-two", "C-six", "D-ten", "E-low"), ("cold", "dry", "tall", "flat")),
    Domain("voltsum", "circuit", "load", ("hall", "attic", "stove", "garage", "porch"), ("ring", "spur", "fused", "old")),
    Domain("milksum", "herd", "yield", ("Angus", "Friesian", "Jersey", "Kerry", "Swiss"), ("dawn", "noon", "dusk", "late")),
    Domain("tripsum", "route", "distance", ("coast", "alpine", "inner", "outer", "ferry"), ("day", "night", "fast", "slow")),
    Domain("printsum", "queue", "pages", ("legal", "sales", "press", "office", "lab"), ("duplex", "simplex", "mono", "tint")),
    Domain("grainsum", "silo", "tonnage", ("East", "West", "Mill", "Dock", "Farm"), ("rye", "oats", "wheat", "spelt")),
    Domain("watersum", "meter", "usage", ("Nile", "Oder", "Po", "Rhine", "Seine"), ("peak", "base", "leak", "test")),
    Domain("huntsum", "hunter", "score", ("orion", "diana", "robin", "nimrod", "atalanta"), ("bow", "net", "dog", "hawk")),
)


@dataclass(frozen=True, slots=True)
class Manual:
    """Everything in which two programs of this family differ. Fields are numbered from 1."""

    domain: Domain
    version: str
    letters: Mapping[str, str]
    words: Mapping[str, str]
    errors: Mapping[str, str]
    delimiter: str
    comment: str
    key: int
    value: int
    measure: str
    order: str
    places: int
    rounding: str
    ties: str
    ties_turn: bool
    shown: str
    layout: str
    label: str
    total_of: str
    mixed: bool
    shortened: bool
    repeats: bool
    usage_status: int
    bad_status: int
    unreadable_status: int
    lenient_status: int
    stdin_name: str

    @property
    def variable(self) -> str:
        """The environment variable that holds a delimiter."""
        return f"{self.domain.prog.upper()}_DELIMITER"

    def long(self, role: str) -> str:
        """An option as messages name it."""
        return f"--{self.words[role]}"


def draw_manual(draws: Draws) -> Manual:
    """A program's rules."""
    spelled = {role: draws.pick(ways) for role, ways in _SPELLINGS.items()}
    key, value = draws.sample((1, 2, 3, 4), 2)
    usage, bad, unreadable = draws.sample((2, 3, 4, 5, 64, 65, 66, 70), 3)
    return Manual(
        domain=draws.pick(_DOMAINS),
        version=f"{draws.between(1, 9)}.{draws.between(0, 19)}",
        letters={role: letter for role, (letter, _) in spelled.items()},
        words={role: word for role, (_, word) in spelled.items()} | {"version": "version"},
        errors=draws.pick(_ERRORS),
        delimiter=draws.pick((":", ";", "|", ",", "/")),
        comment=draws.pick(("#", "%", "!", "*")),
        key=key,
        value=value,
        measure=draws.pick(("sum", "count", "largest", "smallest")),
        order=draws.pick(ORDERS),
        places=draws.pick((1, 2, 3)),
        rounding=draws.pick(("half_up", "half_even", "toward_zero")),
        ties=draws.pick(("name", "seen")),
        ties_turn=draws.chance(1, 2),
        shown=draws.pick(("first", "last")),
        layout=draws.pick(("{key}\t{figure}", "{figure}\t{key}", "{key}: {figure}", "{key} = {figure}")),
        label=draws.pick(("TOTAL", "ALL", "(all)", "=")),
        total_of=draws.pick(("read", "printed")),
        mixed=draws.chance(1, 2),
        shortened=draws.chance(1, 2),
        repeats=draws.chance(1, 2),
        usage_status=usage,
        bad_status=bad,
        unreadable_status=unreadable,
        lenient_status=draws.pick((0, bad)),
        stdin_name=draws.pick(("-", "(stdin)", "standard input")),
    )
