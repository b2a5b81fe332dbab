"""A command-line program to be written from its manual page: options in every form, messages, exit statuses, numbers, order."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from typing import Final

from tallystick.suites.families.cli_from_manpage.cases import grader_cases, sample_cases
from tallystick.suites.families.cli_from_manpage.manual import Manual, draw_manual
from tallystick.suites.families.cli_from_manpage.model import Case, outcome
from tallystick.suites.families.draws import Draws
from tallystick.suites.families.family import Authored, Family, filled, parts

__all__ = ["FAMILY"]

_WIDTH: Final = 78
_MODULES: Final = ("options", "amounts", "groups", "records")
_STAGES: Final[Mapping[str, Mapping[str, str]]] = {
    "whole_numbers": dict.fromkeys(_MODULES, "plain"),
    "exact_numbers": {"options": "plain", "groups": "plain", "records": "plain"},
    "groups_in_order": {"options": "plain", "records": "plain"},
    "all_inputs": {"options": "plain", "records": "silent"},
    "bad_records_told": {"options": "plain"},
    "options_in_all_forms": {"options": "mute"},
}
"""Of each partial solution, the modules that are not yet as in the solution."""
_ORDERINGS: Final[Mapping[tuple[str, bool], str]] = {
    (ties, turn): (f"{start}figures = [(figure_of(measure, group[2]), group) for group in groups]\n" + end)
    for ties, start in (("name", "groups.sort(key=lambda group: group[1])\n"), ("seen", ""))
    for turn, end in (
        (False, "groups = [group for _, group in sorted(figures, key=lambda pair: -pair[0] if turned else pair[0])]"),
        (True, "groups = [group for _, group in sorted(figures, key=lambda pair: pair[0])][:: -1 if turned else 1]"),
    )
}
_ROUND_UP: Final = {
    "half_up": "2 * part >= 1",
    "half_even": "2 * part > 1 or (2 * part == 1 and whole % 2 == 1)",
    "toward_zero": "0",
}
_BAD: Final = """messages.append(f"{told}:{number}: bad record")
if "lenient" not in settings:
    raise Stop(@{bad_status})
bad = True"""
_ROUNDED: Final = {
    "half_up": "rounded to the nearest, and what is halfway away from zero",
    "half_even": "rounded to the nearest, and what is halfway to the one whose last digit is even",
    "toward_zero": "cut off without rounding",
}
_LISTED: Final = (
    ("unknown", "no such option", "OPTION is the argument up to an equals sign, or a hyphen and the letter"),
    ("ambiguous", "a beginning that fits several options", "OPTION is the argument up to an equals sign"),
    ("twice", "an option given again", ""),
    ("superfluous", "a value with an option that takes none", ""),
    ("missing", "an option that takes a value, and none is left", ""),
    ("refused", "a value that an option does not take", "VALUE as it was given"),
    ("clash", "two that exclude each other", "looked at last"),
)


def _make(draws: Draws) -> Authored:
    manual = draw_manual(draws)
    files, samples = sample_cases(manual, draws.apart("samples"))
    hidden = grader_cases(manual, draws.apart("grader"))
    values = _words(manual) | _rules(manual) | _code(manual)
    for name, text in files.items():
        values["sample_" + name.removeprefix("samples/").removesuffix(".txt")] = text.removesuffix("\n")
    values["sample_cases"] = _listed([f"({list(case.args)!r}, {outcome(manual, case).out!r})" for case in samples])
    laid = {path.replace("PROG", manual.domain.prog): text for path, text in parts(__file__, values).items()}
    pieces = {path: laid.pop(path) for path in sorted(laid) if path.startswith("pieces/")}
    page = f"workspace/docs/{manual.domain.prog}.1.txt"
    laid[page] = _wrapped(laid[page])
    laid["grader/cases.py"] = _cases(manual, hidden)
    for folder, plainer in {"solution": {}, **{f"partials/{name}": stage for name, stage in _STAGES.items()}}.items():
        laid |= _program(manual, pieces, folder, plainer)
    return laid | _program(manual, pieces, "cheats/argparse_as_it_comes", {"options": "argparse"})


def _program(manual: Manual, pieces: Mapping[str, str], folder: str, plainer: Mapping[str, str]) -> dict[str, str]:
    """The program's modules below `folder`, some of them in another form than the solution's."""
    place = f"{folder}/{manual.domain.prog}"
    made = {f"{place}/__main__.py": pieces["pieces/main.py"], f"{place}/problems.py": pieces["pieces/problems.py"]}
    for module in _MODULES:
        form = plainer.get(module, "")
        source = pieces.get(f"pieces/{module}_{form}.py", pieces[f"pieces/{module}.py"])
        errors = dict.fromkeys(manual.errors, "wrong usage") if form == "mute" else dict(manual.errors)
        late = {"errors_table": repr(errors), "bad_record": "continue" if form == "silent" else _BAD}
        made[f"{place}/{module}.py"] = filled(filled(source, late), {"bad_status": str(manual.bad_status)})
    return made


def _words(manual: Manual) -> dict[str, str]:
    """Values that stand as they were drawn, and names."""
    prog = manual.domain.prog
    title = f"{prog.upper()}(1)"
    plain = ("version", "delimiter", "comment", "key", "value", "measure", "order", "shown", "label", "stdin_name")
    statuses = ("usage_status", "bad_status", "unreadable_status", "lenient_status")
    return (
        {name: str(getattr(manual, name)) for name in (*plain, *statuses)}
        | {f"l_{role}": letter for role, letter in manual.letters.items()}
        | {f"w_{role}": word for role, word in manual.words.items()}
        | {"prog": prog, "thing": manual.domain.thing, "figure": manual.domain.figure, "variable": manual.variable}
        | {"heading": f"{title}{'User Commands'.center(_WIDTH - 2 * len(title))}{title}"}
    )


def _rules(manual: Manual) -> dict[str, str]:
    """Sentences of the manual page."""
    layout = manual.layout.replace("\t", ", a tab, ").format(key="the key", figure="the figure")
    described = {": ": "a colon and a space", " = ": "a space, an equals sign and a space"}
    for mark, words in described.items():
        layout = layout.replace(mark, f", {words}, ")
    shorter = "may be shortened to any beginning that fits no other long option"
    whole = "must be written in full: a beginning of it is no option"
    again = "An option may be given again; the last one counts." if manual.repeats else "No option may be given twice."
    shown = [(kind, *rest) for kind, *rest in _LISTED if manual.shortened or kind != "ambiguous"]
    shown = [row for row in shown if row[0] != "twice" or not manual.repeats]
    return {
        "layout": layout,
        "places": "one digit" if manual.places == 1 else f"{('two', 'three')[manual.places - 2]} digits",
        "rounding": _ROUNDED[manual.rounding],
        "ties": "in the order name" if manual.ties == "name" else "as they first appeared",
        "ties_turn": f"Groups with equal figures {'are turned around too' if manual.ties_turn else 'stand as without it'}.",
        "total_of": "of the groups that are printed" if manual.total_of == "printed" else "that were read, printed or not",
        "shortened": f"A long option {shorter if manual.shortened else whole}.",
        "or_shortened": " or shortened" if manual.shortened else "",
        "repeats": f"{again} In a long option and in single letters it is the same option.",
        "mixed": "Options may stand before, between and after FILEs."
        if manual.mixed
        else "The first FILE ends the options: everything after it is a FILE too, even if it starts with a hyphen.",
        "errors": "\n\n".join(_error(manual, *row) for row in shown),
    }


def _error(manual: Manual, kind: str, about: str, more: str = "") -> str:
    """An entry of the list of messages; the clash is of two options that this program has."""
    said = manual.errors[kind].format(opt="OPTION", value="VALUE")
    if kind == "clash":
        said = manual.errors[kind].format(opt=manual.long("reverse"), value=f"{manual.long('order')} seen")
    note = f" ({more})" if more else ""
    return f"       {about[0].upper()}{about[1:]}{note}:\n\n           {manual.domain.prog}: {said}"


def _code(manual: Manual) -> dict[str, str]:
    """Fragments of the program's modules."""
    spelling = "group[0] = key" if manual.shown == "last" else ""
    return {
        "letters": repr({letter: role for role, letter in manual.letters.items()}),
        "words": repr({word: role for role, word in manual.words.items()}),
        "is_shortened": str(manual.shortened),
        "is_mixed": str(manual.mixed),
        "is_repeatable": str(manual.repeats),
        "digits": str(manual.places),
        "zeros": "0" * manual.places,
        "round_up": _ROUND_UP[manual.rounding],
        "spelling": spelling,
        "ordering": _ORDERINGS[manual.ties, manual.ties_turn],
        "total_over": "shown" if manual.total_of == "printed" else "groups",
        "layout_code": manual.layout.replace("\t", "\\t"),
        "errors_table": "@{errors_table}",
        "bad_record": "@{bad_record}",
    }


def _cases(manual: Manual, hidden: Mapping[str, Sequence[Case]]) -> str:
    """The grader's module of calls and what each leaves."""
    lines = ['"""Calls of the program, and what each leaves: output, messages, exit status."""\n\nCASES = {\n']
    for name, cases in hidden.items():
        lines.append(f"    {name!r}: [\n")
        for case in cases:
            call = {"args": list(case.args), "stdin": case.stdin, "files": dict(case.files), "variable": case.variable}
            left = outcome(manual, case)
            lines.append(f"        { ({'call': call, 'leaves': [left.out, left.err, left.status]})!r},\n")
        lines.append("    ],\n")
    return "".join(lines) + "}\n"


def _listed(rows: Sequence[str]) -> str:
    return "[\n" + "".join(f"    {row},\n" for row in rows) + "]"


def _wrapped(page: str) -> str:
    """The page with its paragraphs broken into lines."""
    lines = []
    for line in page.split("\n"):
        indent = line[: len(line) - len(line.lstrip())]
        short = len(line) <= _WIDTH
        lines += [line] if short else textwrap.wrap(line, _WIDTH, subsequent_indent=indent, break_on_hyphens=False)
    return "\n".join(lines)


FAMILY: Final = Family("cli_from_manpage", "A command-line program is written from its manual page", "stretch", _make)
