"""Calls about the form of arguments: right ones in every spelling, and wrong ones."""

from __future__ import annotations

from typing import Final

from tallystick.suites.families.cli_from_manpage.manual import Manual
from tallystick.suites.families.cli_from_manpage.model import Case

__all__ = ["beginning", "form_cases", "usage_cases"]

_COMMON: Final = 4
"""Letters of the longest beginning that two options of one program share, and one more."""


def beginning(manual: Manual, role: str) -> str:
    """The shortest beginning of an option's word that fits no other."""
    word = manual.words[role]
    others = [known for known in manual.words.values() if known != word]
    return next(word[:end] for end in range(1, len(word) + 1) if not any(known.startswith(word[:end]) for known in others))


def _shared(manual: Manual) -> str:
    """A beginning of two options' words, or one of none."""
    words = list(manual.words.values())
    starts = [word[:end] for end in range(_COMMON, 0, -1) for word in words]
    return next((start for start in starts if sum(word.startswith(start) for word in words) > 1), "q")


def form_cases(manual: Manual, text: str) -> list[Case]:
    """Right calls."""
    key, value, delimiter, measure, order, reverse, top, total = (
        manual.letters[role] for role in ("key", "value", "delimiter", "measure", "order", "reverse", "top", "total")
    )
    numbers = (f"-{key}{manual.key}", f"-{value}", str(manual.value))
    files = {"data": text, f"--{manual.words['reverse']}": text, "-x": text}
    dashed = text.replace("-", "").replace(manual.delimiter, "-")
    unset = text.replace(manual.delimiter, "~")
    cases = [
        Case((f"-{total}{reverse}{order}name", f"-{measure}", "sum"), text),
        Case((f"-{reverse}{top}2", f"-{order}figure", f"-{measure}largest", *numbers), text),
        Case((f"-{reverse}{total}{top}", "3", f"{manual.long('order')}=name", f"{manual.long('measure')}=count"), text),
        Case((f"-{delimiter}-", f"-{order}", "name", f"-{measure}sum"), dashed),
        Case((manual.long("delimiter"), "-", f"-{order}", "name", f"-{measure}sum"), dashed),
        Case((f"-{order}name", f"-{measure}sum", "--", f"--{manual.words['reverse']}", "-x", "data"), "", files),
        Case((f"-{order}name", f"-{measure}sum", "--"), text),
        Case((f"-{order}name", f"-{measure}sum", "-", "--", "-"), text),
        Case((f"-{order}name", f"-{measure}sum"), unset, variable="~"),
        Case((f"-{order}name", f"-{measure}sum", f"-{delimiter}{manual.delimiter}"), text, variable="letters"),
        Case((f"-{order}name", f"-{measure}sum"), text.replace(manual.delimiter, "\t"), variable="\\t"),
        Case((f"-{order}name", f"-{top}007"), text),
        Case(("--version", "--what", "-?")),
        _after_file(manual, files),
    ]
    if manual.shortened:
        short = (f"--{beginning(manual, 'order')}", "name", f"--{beginning(manual, 'measure')}=sum")
        cases += [Case((*short, f"--{beginning(manual, 'total')}"), text), Case((*short, "--vers"), text)]
    if manual.repeats:
        cases += [Case((f"-{top}1{reverse}"[:3], f"-{top}3", f"-{order}seen", f"-{order}name", f"-{reverse}{reverse}"), text)]
    return cases


def _after_file(manual: Manual, files: dict[str, str]) -> Case:
    """Options after a FILE: FILEs themselves where the first FILE ends the options."""
    first = (f"-{manual.letters['order']}name", f"-{manual.letters['measure']}sum", "data")
    return Case((*first, f"--{manual.words['reverse']}"), "", files)


def usage_cases(manual: Manual, text: str) -> list[Case]:
    """Wrong calls."""
    long = {role: manual.long(role) for role in manual.words}
    letters = manual.letters
    unknown = next(letter for letter in "qxyQ" if letter not in letters.values())
    calls: list[tuple[str, ...]] = [
        ("--nothing",),
        ("--nothing=4", long["top"]),
        (f"-{letters['total']}{unknown}{letters['fold']}",),
        (long["key"],),
        (f"-{letters['total']}{letters['key']}",),
        (f"-{letters['key']}", "0"),
        (f"{long['value']}=",),
        (f"{long['value']}=+1",),
        (f"-{letters['top']}=3",),
        (long["measure"], "median"),
        (f"-{letters['measure']}Sum",),
        (f"{long['order']}=size",),
        (long["delimiter"], "ab"),
        (f"-{letters['delimiter']}7",),
        (long["delimiter"], " "),
        (f"{long['total']}=yes",),
        (f"{long['version']}=1",),
        ("--", "none") if manual.mixed else (long["top"], "none"),
        (f"--{_shared(manual)}", "2"),
        (f"--{manual.words['fold'][:-1]}", f"--{manual.words['order'].upper()}"),
        (long["top"], "-3", "--nothing"),
        ("--nothing", "--version"),
        (long["key"], "--version"),
        (long["order"], "seen", long["reverse"]),
        (f"-{letters['reverse']}{letters['order']}seen", long["top"], "0"),
        (long["top"], "1", f"-{letters['top']}", "x"),
        (f"-{letters['total']}{letters['total']}", "--nothing"),
        ("data", "--nothing"),
        ("\u0661",) if manual.mixed else (long["top"], "\u0661"),
    ]
    files = {"data": text}
    cases = [Case(call, text, files) for call in calls]
    variables = [((), "long"), ((long["order"], "seen", long["reverse"]), "x"), (("--nothing",), "x"), (("none",), "9")]
    return cases + [Case(args, text, files, variable=value) for args, value in variables]
