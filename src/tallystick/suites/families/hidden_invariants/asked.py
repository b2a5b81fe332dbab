"""Entries of a journal that tell right modules from wrong ones, as questions and as lines."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from tallystick.suites.families.draws import Draws
from tallystick.suites.families.hidden_invariants.journals import Entry, Journal
from tallystick.suites.families.literals import json_text

__all__ = ["asked", "entry_of", "old_line", "sample"]

_NOTES: Final = ("counted twice", "by hand", "late", "see the paper", "torn slip")


def entry_of(journal: Journal, draws: Draws, unit: str, parts: int | None = None) -> Entry:
    """A drawn entry of a unit, of `parts` if given, else of 1 to 91 units."""
    day = f"202{draws.between(2, 5)}-{draws.between(1, 12):02d}-{draws.between(1, 28):02d}"
    amount = draws.between(1, 90) * 10 ** journal.places[unit] + draws.between(1, 10 ** journal.places[unit])
    return Entry(day, f"{draws.pick('abcd')}{draws.between(1, 9)}", unit, amount if parts is None else parts)


def _entries(journal: Journal, draws: Draws, signs: str) -> list[Entry]:
    """Two entries of each unit; with `signs` "+-" the second of each is below zero."""
    made = []
    for sign in signs:
        for unit in journal.places:
            entry = entry_of(journal, draws, unit)
            made.append(entry if sign == "+" else Entry(entry.day, entry.who, entry.unit, -entry.parts))
    return made


def old_line(journal: Journal, entry: Entry, amount: str, note: str = "") -> str:
    """A line of format 1."""
    line = {"v": 1, "day": entry.day, journal.who: entry.who, journal.unit: entry.unit, journal.amount: amount}
    return json_text(line | ({"note": note} if note else {}))


def _broken(journal: Journal, draws: Draws, unit: str, sign: int) -> tuple[Entry, str]:
    """An old amount with a decimal more than its unit has places, just between two parts, and what is read."""
    places = journal.places[unit]
    halves = sign * (2 * draws.between(12, 90) + 1)
    value = Fraction(halves, 2)
    digits = f"{abs(halves) * 5:0{places + 2}d}"
    text = f"{'-' if sign < 0 else ''}{digits[: -places - 1]}.{digits[-places - 1 :]}"
    return entry_of(journal, draws, unit, journal.old.apply(value)), text


def _float_trap(journal: Journal, draws: Draws, unit: str) -> Entry:
    """An amount that is a part too small once it has been a float."""
    scale = 10 ** journal.places[unit]
    while True:
        entry = entry_of(journal, draws, unit)
        if int(float(journal.full(entry)) * scale) != entry.parts:
            return entry


def _old_text(journal: Journal, draws: Draws) -> tuple[str, list[dict[str, object]]]:
    """Lines of format 1 and the records that they are."""
    first = next(iter(journal.places))
    plain = [(entry, draws.pick((journal.full, journal.short))(entry)) for entry in _entries(journal, draws, "+-")]
    broken = [_broken(journal, draws, unit, sign) for unit in journal.places for sign in (1, -1)]
    trap = [(entry, journal.full(entry)) for entry in (_float_trap(journal, draws, first) for _ in range(3))]
    rows = draws.shuffled([*plain, *broken, *trap])
    noted = [draws.pick(("", *_NOTES)) for _ in rows]
    lines = [old_line(journal, entry, text, note) for (entry, text), note in zip(rows, noted, strict=True)]
    read = [journal.record(entry) | ({"note": note} if note else {}) for (entry, _), note in zip(rows, noted, strict=True)]
    return "\n".join(lines) + "\n", read


def _new_lines(journal: Journal, entries: list[Entry]) -> str:
    return "".join(json_text({"v": 2, **journal.record(entry)}) + "\n" for entry in entries)


def _limits(journal: Journal, draws: Draws) -> tuple[list[Entry], dict[str, str]]:
    """Entries just below, at and above the limit of their unit, and the limits; one unit has none."""
    entries, limits = [], {}
    for unit in list(journal.places)[:3]:
        limit = draws.between(40, 400)
        scale = 10 ** journal.places[unit]
        limits[unit] = f"{limit}.{'0' * journal.places[unit]}5" if draws.chance(1, 3) else str(limit)
        amounts = [limit * scale + step for step in (-1, 0, 1)]
        entries += [entry_of(journal, draws, unit, draws.pick((1, -1)) * amount) for amount in amounts]
        entries.append(entry_of(journal, draws, unit, limit))
    entries.append(entry_of(journal, draws, list(journal.places)[3], 10**9))
    return draws.shuffled(entries), limits


def _feeds(journal: Journal, draws: Draws) -> list[list[object]]:
    """Questions about both feeds."""
    counter, sent = [], []
    for entry in _entries(journal, draws, "+-"):
        big = Entry(entry.day, entry.who, entry.unit, entry.parts + 1234 * 10 ** journal.places[entry.unit])
        whole, _, rest = journal.full(big).partition(".")
        dotted = f"{int(whole):,}".replace(",", ".")
        counter.append((big, f"{big.day};{big.who};{big.unit};{dotted}{',' + rest if rest else ''}"))
        least = 10 ** max(0, journal.carrier_scale - journal.places[entry.unit])
        shown = least * draws.between(11, 9999)
        amount = shown * 10 ** journal.places[entry.unit] // 10**journal.carrier_scale
        sent.append((Entry(entry.day, entry.who, entry.unit, amount), f"{entry.unit},{entry.day},{entry.who},{shown}"))
    return [
        ["feeds", name, ["".join(f"{line}\n" for _, line in rows)], [journal.record(entry) for entry, _ in rows]]
        for name, rows in (("from_counter", counter), (f"from_{journal.carrier}", sent))
    ]


def asked(journal: Journal, draws: Draws) -> dict[str, list[list[object]]]:
    """The grader's questions by test: [module, function, arguments, answer] each."""
    new, both = _entries(journal, draws, "++"), _entries(journal, draws, "+-")
    both += [entry_of(journal, draws, unit, small) for unit in journal.places for small in (0, 7, -7)]
    old_text, old_read = _old_text(journal, draws)
    records = [journal.record(entry) for entry in both]
    noted = [record | {"note": note} for record, note in zip(records, _NOTES, strict=False)]
    line = json_text({"v": 2, **records[0], journal.parts: 12}) + "\n"
    spoilt = (*(line.replace(": 12}", f": {bad}}}") for bad in ("12.0", '"12"', "true")), line.replace('"v": 2', '"v": 3'))
    refused: list[list[object]] = [["records", "load", [bad], "ValueError"] for bad in spoilt]
    edges, limits = _limits(journal, draws)
    permille = draws.pick((17, 23, 29, 37))
    fees: list[list[object]] = [
        ["ledger", "fees", [[journal.record(entry) for entry in rows], permille], journal.fees(rows, permille)]
        for rows in [both, *_odd(journal)]
    ]
    totals = {unit: sum(entry.parts for entry in both if entry.unit == unit) for unit in journal.places}
    return {
        "load": [
            ["records", "load", [_new_lines(journal, new)], [journal.record(entry) for entry in new]],
            *refused,
        ],
        "old_lines": [
            ["records", "load", [old_text], old_read],
            ["records", "load", [_new_lines(journal, new[:3]) + old_text], [*map(journal.record, new[:3]), *old_read]],
        ],
        "dump": [["records", "dump", [noted], [{"v": 2, **record} for record in noted]]],
        "keys": [["keys", "key", [records], [journal.key(entry) for entry in both]]],
        "texts": [
            ["export", "export", [records], journal.export(both)],
            ["report", "summary", [records], journal.summary(both)],
        ],
        "limits": [["ledger", "over", [[journal.record(entry) for entry in edges], limits], journal.over(edges, limits)]],
        "fees": [
            ["ledger", "totals", [records], totals],
            *fees,
        ],
        "feeds": _feeds(journal, draws),
    }


def _odd(journal: Journal) -> list[list[Entry]]:
    """Entries whose fees tell every rule of rounding apart, asked one amount at a time so that none makes up for another."""
    odd = (500, 1500, -500, -1500, -7, 999)
    return [[Entry("2025-01-01", "a1", unit, parts) for unit in journal.places] for parts in odd]


def sample(journal: Journal, draws: Draws) -> tuple[str, list[dict[str, object]]]:
    """The sample's lines of format 1, and what format 2 makes of them."""
    rows = [(entry, journal.short(entry)) for entry in _entries(journal, draws, "+-")[1:6]]
    rows.append(_broken(journal, draws, list(journal.places)[1], -1))
    lines = [old_line(journal, entry, text, "by hand" if at == 1 else "") for at, (entry, text) in enumerate(rows)]
    new = [{"v": 2, **journal.record(entry)} | ({"note": "by hand"} if at == 1 else {}) for at, (entry, _) in enumerate(rows)]
    return "\n".join(lines), new
