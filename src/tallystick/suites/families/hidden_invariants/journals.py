"""What a journal of amounts is about, and its rules: drawn, and computed with exact numbers."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from tallystick.suites.families.draws import Draws

__all__ = ["ROUNDINGS", "Entry", "Journal", "Rounding", "draw_journal"]


@dataclass(frozen=True, slots=True)
class Rounding:
    """A rule of rounding: in words, as a mode of `decimal`, and as a function of exact numbers."""

    name: str
    words: str
    mode: str
    apply: Callable[[Fraction], int]


def _half_away(value: Fraction) -> int:
    whole = int(abs(value) + Fraction(1, 2))
    return -whole if value < 0 else whole


ROUNDINGS: Final = (
    Rounding("half_even", "half a part to the even neighbour", "ROUND_HALF_EVEN", round),
    Rounding("half_away", "half a part away from zero", "ROUND_HALF_UP", _half_away),
    Rounding("towards_zero", "always towards zero", "ROUND_DOWN", int),
)

_DOMAINS: Final = (
    ("tillbook", "what goes through the tills", "till", ("crown", "florin", "mark", "guilder", "ducat"), "bank"),
    ("labstock", "what leaves the store of a laboratory", "shelf", ("gram", "litre", "vial", "metre", "mole"), "scanner"),
    ("quaylog", "what is landed on a quay", "berth", ("tonne", "cask", "pallet", "fathom", "bale"), "crane"),
    ("meterbook", "what meters of a town count", "meter", ("kwh", "litre", "therm", "pulse", "cubic"), "collector"),
    ("millsheet", "what a mill takes in", "hopper", ("quintal", "sack", "bushel", "barrel", "peck"), "bridge"),
    ("vaultlist", "what a vault takes and gives", "safe", ("ounce", "bar", "grain", "coin", "carat"), "courier"),
)
_AMOUNTS: Final = (("amount", "parts"), ("quantity", "grains"), ("value", "minor"), ("volume", "ticks"), ("size", "steps"))
_UNIT_NAMES: Final = ("unit", "measure", "kind")
_ORDERS: Final = (("day", "who", "unit", "amount"), ("unit", "amount", "day", "who"), ("who", "day", "amount", "unit"))
_SIGNS: Final = (
    ("a comma, a minus in front if below zero", ",", "-{}"),
    ("a point, a minus behind if below zero", ".", "{}-"),
    ("a point, in brackets if below zero", ".", "({})"),
    ("a comma, a minus behind if below zero", ",", "{}-"),
)


@dataclass(frozen=True, slots=True)
class Entry:
    """One record; `parts` is its amount in whole parts."""

    day: str
    who: str
    unit: str
    parts: int


@dataclass(frozen=True, slots=True)
class Journal:
    """Names and rules of one journal. `sign` is (words, decimal mark, form below zero)."""

    package: str
    what: str
    who: str
    unit: str
    amount: str
    parts: str
    carrier: str
    carrier_scale: int
    places: Mapping[str, int]
    old: Rounding
    fee: Rounding
    trimmed: bool
    order: tuple[str, ...]
    mark: str
    sign: tuple[str, str, str]
    inclusive: bool

    def full(self, entry: Entry) -> str:
        """The amount with all places."""
        places = self.places[entry.unit]
        digits = f"{abs(entry.parts):0{places + 1}d}"
        text = f"{digits[:-places]}.{digits[-places:]}" if places else digits
        return f"-{text}" if entry.parts < 0 else text

    def short(self, entry: Entry) -> str:
        """The amount without needless zeros."""
        text = self.full(entry)
        return text.rstrip("0").rstrip(".") if "." in text else text

    def key(self, entry: Entry) -> str:
        """The key that a record has for ever."""
        amount = self.short(entry) if self.trimmed else self.full(entry)
        fields = {"day": entry.day, "who": entry.who, "unit": entry.unit, "amount": amount}
        return f"{zlib.crc32(self.mark.join(fields[name] for name in self.order).encode()):08x}"

    def export(self, entries: Sequence[Entry]) -> str:
        """The partner's file."""
        return "".join(f"{self.key(entry)};{entry.day};{self._signed(entry)} {entry.unit}\n" for entry in entries)

    def _signed(self, entry: Entry) -> str:
        text = self.full(Entry(entry.day, entry.who, entry.unit, abs(entry.parts))).replace(".", self.sign[1])
        return self.sign[2].format(text) if entry.parts < 0 else text

    def summary(self, entries: Sequence[Entry]) -> list[str]:
        """Totals for people."""
        found: dict[tuple[str, str], int] = {}
        for entry in entries:
            found[entry.who, entry.unit] = found.get((entry.who, entry.unit), 0) + entry.parts
        return [f"{who} {self.short(Entry('', who, unit, total))} {unit}" for (who, unit), total in sorted(found.items())]

    def fees(self, entries: Sequence[Entry], permille: int) -> dict[str, int]:
        """Fees by unit, each record's rounded before they are added."""
        found: dict[str, int] = {}
        for entry in entries:
            found[entry.unit] = found.get(entry.unit, 0) + self.fee.apply(Fraction(entry.parts * permille, 1000))
        return found

    def over(self, entries: Sequence[Entry], limits: Mapping[str, str]) -> list[str]:
        """Keys of records over their limit."""
        found = []
        for entry in entries:
            if entry.unit in limits:
                beyond = abs(entry.parts) - Fraction(limits[entry.unit]) * 10 ** self.places[entry.unit]
                if beyond > 0 or (self.inclusive and beyond == 0):
                    found.append(self.key(entry))
        return found

    def record(self, entry: Entry) -> dict[str, object]:
        """The record after the move."""
        return {"day": entry.day, self.who: entry.who, self.unit: entry.unit, self.parts: entry.parts}


def draw_journal(draws: Draws) -> Journal:
    """A journal whose first unit has two places, and of whose others one has none."""
    package, what, who, units, carrier = draws.pick(_DOMAINS)
    amount, new = draws.pick(_AMOUNTS)
    names = draws.sample(units, 4)
    places = [2, *draws.shuffled((0, 3, draws.pick((1, 4))))]
    old, fee = draws.sample(ROUNDINGS, 2)
    return Journal(
        package=package,
        what=what,
        who=who,
        unit=draws.pick(_UNIT_NAMES),
        amount=amount,
        parts=new,
        carrier=carrier,
        carrier_scale=draws.pick((2, 3)),
        places=dict(zip(names, places, strict=True)),
        old=old,
        fee=fee,
        trimmed=draws.chance(1, 2),
        order=draws.pick(_ORDERS),
        mark=draws.pick(("|", "/", "~", "#")),
        sign=draws.pick(_SIGNS),
        inclusive=draws.chance(1, 2),
    )
