"""What a drawn program must print for given arguments and input: the manual page once more, apart from any solution."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from tallystick.suites.families.cli_from_manpage.manual import MEASURES, ORDERS, TAKES, Manual

__all__ = ["Case", "Outcome", "outcome"]


@dataclass(frozen=True, slots=True)
class Case:
    """One call of the program. A file whose content is None is a folder."""

    args: tuple[str, ...]
    stdin: str = ""
    files: Mapping[str, str | None] = field(default_factory=dict)
    variable: str = ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the call leaves."""

    out: str
    err: str
    status: int


class _EndError(Exception):
    """The program ends at once, with this outcome."""

    def __init__(self, outcome: Outcome) -> None:
        super().__init__(outcome)
        self.outcome = outcome


def outcome(manual: Manual, case: Case) -> Outcome:
    """The outcome that the manual page promises."""
    try:
        arguments = _Arguments(manual)
        arguments.read(case.args)
        arguments.settle(case.variable)
        records = _Records(manual, arguments, case)
        rows = list(records.rows())
    except _EndError as end:
        return end.outcome
    return Outcome(_printed(manual, arguments, rows), "".join(records.messages), records.status)


class _Arguments:
    """The command line, read from left to right."""

    def __init__(self, manual: Manual) -> None:
        self.manual = manual
        self.given: dict[str, str] = {}
        self.files: list[str] = []

    def read(self, args: Sequence[str]) -> None:
        left = list(args)
        while left:
            word = left.pop(0)
            if word == "--":
                self.files += left
                return
            if word.startswith("--"):
                self._long(word[2:], left)
            elif word.startswith("-") and word != "-":
                self._cluster(word[1:], left)
            else:
                self.files.append(word)
                if not self.manual.mixed:
                    self.files += left
                    return

    def settle(self, variable: str) -> None:
        """Defaults, the environment, and what excludes each other."""
        if "delimiter" not in self.given:
            chosen = variable or self.manual.delimiter
            if not _accepts("delimiter", chosen):
                self.end("refused", self.manual.variable, chosen)
            self.given["delimiter"] = chosen
        defaults = {"measure": self.manual.measure, "order": self.manual.order}
        self.given = defaults | {"key": str(self.manual.key), "value": str(self.manual.value)} | self.given
        if "reverse" in self.given and self.given["order"] == "seen":
            self.end("clash", self.manual.long("reverse"), f"{self.manual.long('order')} seen")

    def end(self, kind: str, opt: str, value: str = "") -> None:
        said = self.manual.errors[kind].format(opt=opt, value=value)
        raise _EndError(Outcome("", f"{self.manual.domain.prog}: {said}\n", self.manual.usage_status))

    def _long(self, text: str, left: list[str]) -> None:
        word, equals, value = text.partition("=")
        words = self.manual.words
        fitting = [role for role, known in words.items() if known == word]
        if not fitting and self.manual.shortened and word:
            fitting = [role for role, known in words.items() if known.startswith(word)]
        if len(fitting) != 1:
            self.end("ambiguous" if fitting else "unknown", f"--{word}")
        self._take(fitting[0], value if equals else None, left)

    def _cluster(self, letters: str, left: list[str]) -> None:
        for at, letter in enumerate(letters):
            role = next((role for role, known in self.manual.letters.items() if known == letter), None)
            if role is None:
                self.end("unknown", f"-{letter}")
            elif role in TAKES:
                self._take(role, letters[at + 1 :] or None, left)
                return
            else:
                self._take(role, None, left)

    def _take(self, role: str, value: str | None, left: list[str]) -> None:
        opt = self.manual.long(role)
        if role in self.given and not self.manual.repeats:
            self.end("twice", opt)
        if role not in TAKES:
            if value is not None:
                self.end("superfluous", opt)
            if role == "version":
                raise _EndError(Outcome(f"{self.manual.domain.prog} {self.manual.version}\n", "", 0))
            self.given[role] = ""
            return
        if value is None and not left:
            self.end("missing", opt)
        taken = left.pop(0) if value is None else value
        if not _accepts(role, taken):
            self.end("refused", opt, taken)
        self.given[role] = taken


def _accepts(role: str, value: str) -> bool:
    if role == "measure":
        return value in MEASURES
    if role == "order":
        return value in ORDERS
    if role == "delimiter":
        return value == "\\t" or re.fullmatch(r"[^A-Za-z0-9\s]", value) is not None
    return re.fullmatch(r"[0-9]+", value) is not None and int(value) > 0


class _Records:
    """The records of all files, and what is said about bad ones."""

    def __init__(self, manual: Manual, arguments: _Arguments, case: Case) -> None:
        self._manual = manual
        self._given = arguments.given
        self._names = arguments.files or ["-"]
        self._case = case
        self.messages: list[str] = []
        self.status = 0

    def rows(self) -> Iterator[tuple[str, Fraction]]:
        stdin = self._case.stdin
        for name in self._names:
            if name == "-":
                text, stdin = stdin, ""
            else:
                found = self._case.files.get(name)
                if found is None:
                    self._say(f"{name}: cannot be read")
                    self.status = self._manual.unreadable_status
                    continue
                text = found
            yield from self._of(self._manual.stdin_name if name == "-" else name, text)

    def _of(self, name: str, text: str) -> Iterator[tuple[str, Fraction]]:
        for number, line in enumerate(text.split("\n"), 1):
            bare = line.strip(" \t\r")
            if not bare or bare.startswith(self._manual.comment):
                continue
            row = self._row(line.removesuffix("\r"))
            if row is None:
                self._bad(f"{name}:{number}: bad record")
            else:
                yield row

    def _bad(self, said: str) -> None:
        self._say(said)
        if "lenient" not in self._given:
            raise _EndError(Outcome("", "".join(self.messages), self._manual.bad_status))
        self.status = self.status or self._manual.lenient_status

    def _say(self, said: str) -> None:
        self.messages.append(f"{self._manual.domain.prog}: {said}\n")

    def _row(self, line: str) -> tuple[str, Fraction] | None:
        delimiter = "\t" if self._given["delimiter"] == "\\t" else self._given["delimiter"]
        fields = [part.strip(" \t") for part in line.split(delimiter)]
        key, value = int(self._given["key"]), int(self._given["value"])
        if key > len(fields) or not fields[key - 1]:
            return None
        if self._given["measure"] == "count":
            return fields[key - 1], Fraction(0)
        if value > len(fields) or not re.fullmatch(r"[+-]?[0-9]+(\.[0-9]+)?", fields[value - 1]):
            return None
        return fields[key - 1], Fraction(fields[value - 1])


def _measured(measure: str, values: Sequence[Fraction]) -> Fraction:
    total = sum(values, Fraction(0))
    ways = {"count": Fraction(len(values)), "largest": max(values), "smallest": min(values), "mean": total / len(values)}
    return ways.get(measure, total)


def _printed(manual: Manual, arguments: _Arguments, rows: Sequence[tuple[str, Fraction]]) -> str:
    given = arguments.given
    groups: dict[str, list[Fraction]] = {}
    spelled: dict[str, str] = {}
    for key, value in rows:
        same = key.lower() if "fold" in given else key
        groups.setdefault(same, []).append(value)
        if manual.shown == "last" or same not in spelled:
            spelled[same] = key
    figures = {same: _measured(given["measure"], values) for same, values in groups.items()}
    order = _ordered(manual, given, figures)[: int(given.get("top", "999999999"))]
    lines = [(spelled[same], figures[same]) for same in order]
    if "total" in given and rows:
        counted = order if manual.total_of == "printed" else list(groups)
        lines.append((manual.label, _measured(given["measure"], [value for same in counted for value in groups[same]])))
    places = 0 if given["measure"] == "count" else manual.places
    told = [manual.layout.format(key=key, figure=_rounded(figure, places, manual.rounding)) for key, figure in lines]
    return "".join(f"{line}\n" for line in told)


def _ordered(manual: Manual, given: Mapping[str, str], figures: Mapping[str, Fraction]) -> list[str]:
    if given["order"] == "seen":
        return list(figures)
    if given["order"] == "name":
        return sorted(figures, reverse="reverse" in given)
    order = sorted(figures) if manual.ties == "name" else list(figures)
    if "reverse" not in given:
        return sorted(order, key=lambda same: figures[same])
    if manual.ties_turn:
        return sorted(order, key=lambda same: figures[same])[::-1]
    return sorted(order, key=lambda same: -figures[same])


def _rounded(figure: Fraction, places: int, rounding: str) -> str:
    whole, rest = divmod(abs(figure) * 10**places, 1)
    up = {"half_up": rest >= Fraction(1, 2), "half_even": rest > Fraction(1, 2) or (2 * rest == 1 and whole % 2 == 1)}
    digits = str(int(whole) + up.get(rounding, False)).rjust(places + 1, "0")
    sign = "-" if figure < 0 and int(digits) else ""
    return f"{sign}{digits[:-places]}.{digits[-places:]}" if places else sign + digits
