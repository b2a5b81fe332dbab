"""The calls that the grader makes, by test; and the samples that everybody sees.

Each test has calls that no program of an earlier stage answers: see `partials` in task.md.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from tallystick.suites.families.cli_from_manpage.manual import Manual
from tallystick.suites.families.cli_from_manpage.model import Case
from tallystick.suites.families.cli_from_manpage.usage import form_cases, usage_cases
from tallystick.suites.families.draws import Draws

__all__ = ["grader_cases", "sample_cases", "table"]

_WHOLE: Final = ("sum", "largest", "smallest", "count")


def table(manual: Manual, draws: Draws, values: Sequence[str], *, delimiter: str = "") -> list[str]:
    """Records with these values, at the fields that the manual has by default; keys of groups descend at first."""
    names = sorted(manual.domain.names, reverse=True)
    keys = [names[0], names[1], names[0], *(draws.pick(names) for _ in values[3:])]
    return [_record(manual, draws, key, value, delimiter) for key, value in zip(keys, values, strict=True)]


def _record(manual: Manual, draws: Draws, key: str, value: str, delimiter: str = "") -> str:
    fields = [draws.pick(manual.domain.fillers) for _ in range(max(manual.key, manual.value) + draws.below(2))]
    fields[manual.key - 1], fields[manual.value - 1] = key, value
    return (delimiter or manual.delimiter).join(fields)


def _text(lines: Sequence[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def _wholes(draws: Draws, count: int) -> list[str]:
    return [str(draws.between(-40, 160)) for _ in range(count)]


def _decimals(draws: Draws, count: int, places: int) -> list[str]:
    return [f"{draws.pick(('', '-', '+'))}{draws.below(90)}.{draws.below(10**places):0{places}}" for _ in range(count)]


def sample_cases(manual: Manual, draws: Draws) -> tuple[Mapping[str, str], list[Case]]:
    """The files of samples/, and a few calls on them."""
    files = {f"samples/{name}.txt": _text(table(manual, draws, _wholes(draws, count))) for name, count in _SAMPLES}
    order, measure = manual.long("order"), manual.long("measure")
    calls = [
        (order, "name", measure, "sum", "samples/first.txt"),
        (order, "seen", measure, "largest", "samples/first.txt", "samples/second.txt"),
        (order, "name", manual.long("top"), "2", measure, "count", "samples/second.txt"),
    ]
    return files, [Case(args, files=files) for args in calls]


_SAMPLES: Final = (("first", 7), ("second", 5))


def grader_cases(manual: Manual, draws: Draws) -> dict[str, list[Case]]:
    """The hidden calls."""
    tests: Mapping[str, Callable[[Manual, Draws], list[Case]]] = {
        "summaries": _summaries,
        "numbers": _numbers,
        "ordering": _ordering,
        "grouping": _grouping,
        "inputs": _inputs,
        "bad_records": _bad_records,
        "forms": lambda manual, draws: form_cases(manual, _text(table(manual, draws, _wholes(draws, 9)))),
        "usage_errors": lambda manual, draws: usage_cases(manual, _text(table(manual, draws, _wholes(draws, 4)))),
    }
    return {name: cases(manual, draws.apart(name)) for name, cases in tests.items()}


def _summaries(manual: Manual, draws: Draws) -> list[Case]:
    order, measure = manual.long("order"), manual.long("measure")
    cases = [
        Case((order, "seen", measure, what), _text(table(manual, draws, _wholes(draws, count))))
        for count in (4, 9, 14)
        for what in _WHOLE
    ]
    swapped = (manual.long("key"), str(manual.value), manual.long("value"), str(manual.key))
    numbers = [f"{n}{manual.delimiter}".join(["x"] * 4) + f"{manual.delimiter}{n}" for n in (7, 3, 7)]
    fields = (manual.long("key"), "1", manual.long("value"), str(len(numbers[0].split(manual.delimiter))))
    turned = [_record(manual, draws, value, str(draws.below(9))) for value in draws.sample([str(n) for n in range(10, 99)], 4)]
    other = next(mark for mark in ";:/|" if mark != manual.delimiter)
    split = _text(table(manual, draws, _wholes(draws, 6), delimiter=other))
    return [
        *cases,
        Case((order, "seen", measure, "sum", *swapped), _text(turned)),
        Case((order, "seen", measure, "sum", *fields), _text(numbers)),
        Case((order, "seen", measure, "largest", manual.long("delimiter"), other), split),
    ]


def _numbers(manual: Manual, draws: Draws) -> list[Case]:
    order, measure, places = manual.long("order"), manual.long("measure"), manual.places
    half = "0" * places + "5"
    edges = [f"{whole}.{half}" for whole in ("2", "3", "-2", "-0")]
    edges += [f"1.{'9' * places}5", f"0.{'0' * places}4", f"-0.{'0' * places}4"]
    ties = [f"{n}.{'0' * (places - 1)}{digit}5" for n, digit in enumerate("02468135799", 1)]
    apart = [_record(manual, draws, f"edge{at}", text) for at, text in enumerate([*edges, *ties])]
    huge = [f"{draws.between(10**8, 10**9)}{draws.between(10**8, 10**9)}{draws.between(10**8, 10**9)}.{half}" for _ in range(6)]
    thirds = [[_record(manual, draws, key, value) for value in values] for key, values in _MEANS.items()]
    mixed = [
        Case((order, "seen", measure, what), _text(table(manual, draws, _decimals(draws, 12, deep))))
        for what in ("sum", "mean", "largest", "smallest")
        for deep in (1, places + 2)
    ]
    return [
        *mixed,
        Case((order, "seen", measure, "sum"), _text(apart)),
        Case((order, "seen", measure, "sum"), _text(table(manual, draws, huge))),
        Case((order, "seen", measure, "mean"), _text([line for lines in thirds for line in lines])),
    ]


_MEANS: Final = {"thirds": ("1", "1", "0"), "minus": ("-1", "-1", "0"), "eighths": ("1", *"0000000"), "none": ("0.4", "-0.40")}


def _tied(manual: Manual, draws: Draws) -> str:
    """Groups of which several have equal figures, their names neither in order nor against it."""
    names = sorted(manual.domain.names)
    order = [names[1], names[3], names[0], names[4], names[2]]
    figures = [draws.between(10, 20)] * 3 + [draws.between(30, 40)] * 2
    rows = zip(order, [figures[0], figures[3], figures[1], figures[4], figures[2]], strict=True)
    return _text([_record(manual, draws, name, str(figure)) for name, figure in rows])


def _ordering(manual: Manual, draws: Draws) -> list[Case]:
    order, reverse, top, measure = (manual.long(role) for role in ("order", "reverse", "top", "measure"))
    ways = [
        (order, "name"),
        (order, "name", reverse),
        (order, "figure"),
        (order, "figure", reverse),
        (order, "figure", top, "2"),
        (order, "figure", reverse, top, "4"),
        (order, "name", top, "900"),
        (),
    ]
    cases = [Case((*way, measure, "sum"), text) for way in ways for text in (_tied(manual, draws), _mixed(manual, draws))]
    near = [f"{5}.{'0' * manual.places}{digit}" for digit in (4, 1, 3)]
    close = [_record(manual, draws, name, value) for name, value in zip(manual.domain.names, near, strict=False)]
    cased = [_record(manual, draws, name, "1") for name in ("beta", "Alpha", "alpha", "Beta", "9", "~")]
    return [
        *cases,
        Case((order, "figure", measure, "largest"), _text(close)),
        Case((order, "name", measure, "smallest"), _text(cased)),
        Case((order, "figure", reverse, measure, "count"), _tied(manual, draws)),
    ]


def _mixed(manual: Manual, draws: Draws) -> str:
    return _text(table(manual, draws, _decimals(draws, 10, 1)))


def _grouping(manual: Manual, draws: Draws) -> list[Case]:
    order, measure, fold, total, top = (manual.long(role) for role in ("order", "measure", "fold", "total", "top"))
    names = ("Zeta", "alpha", "ZETA", "Alpha", "zeta", "mid", "MID")
    cased = _text([_record(manual, draws, name, value) for name, value in zip(names, _decimals(draws, 7, 1), strict=True)])
    plain = _text(table(manual, draws, _decimals(draws, 9, 1)))
    return [
        Case((order, "name", measure, "sum", fold), cased),
        Case((order, "seen", measure, "largest", fold), cased),
        Case((order, "figure", measure, "count", fold, total), cased),
        Case((order, "name", measure, "sum", total), plain),
        Case((order, "name", measure, "mean", total, top, "2"), plain),
        Case((order, "figure", measure, "smallest", total, top, "1"), plain),
        Case((order, "name", measure, "sum", fold, total, top, "1"), cased),
        Case((order, "name", measure, "sum", total), ""),
    ]


def _inputs(manual: Manual, draws: Draws) -> list[Case]:
    order, measure, key = manual.long("order"), manual.long("measure"), manual.long("key")
    one, two = (_text(table(manual, draws, _decimals(draws, 6, 1))) for _ in range(2))
    record = _record(manual, draws, "with blanks", "4.5")
    padded = record.replace(manual.delimiter, f" \t{manual.delimiter}  ")
    odd = f"\n{manual.comment} a note\n  \t\n \t{manual.comment}{record}\n  {padded}\t\n{record}\r\n\r\n{record}"
    files = {"one.txt": one, "two.txt": two, "folder": None, "odd": odd, "empty": ""}
    call = (order, "name", measure, "sum")
    tabbed = _text(table(manual, draws, _wholes(draws, 5), delimiter="\t"))
    return [
        Case((*call, "one.txt", "two.txt"), two, files),
        Case((*call, "two.txt", "-", "one.txt"), two, files),
        Case((*call, "-", "one.txt", "-"), two, files),
        Case((*call, "odd"), "", files),
        Case(call, odd),
        Case((*call, "none.txt", "one.txt", "folder"), "", files),
        Case((*call, "folder"), "", files),
        Case((*call, "empty"), one, files),
        Case((order, "seen", key, str(manual.key), measure, "sum", "one.txt", "one.txt"), "", files),
        Case((*call, manual.long("delimiter"), "\\t"), tabbed),
    ]


def _bad_records(manual: Manual, draws: Draws) -> list[Case]:
    order, measure, lenient = manual.long("order"), manual.long("measure"), manual.long("lenient")
    names = manual.domain.names
    bad = ["1e3", ".5", "5.", "", "--3", "1_000", "0x1f", "+ 3", "\u0663", "nan", "1,5" if manual.delimiter != "," else "1/2"]
    numbers = [_record(manual, draws, draws.pick(names), value) for value in [*_wholes(draws, 2), *bad, "+7", "007"]]
    short = manual.delimiter.join(["x"] * (max(manual.key, manual.value) - 1))
    nameless = _record(manual, draws, " ", "12")
    good = _text(table(manual, draws, _wholes(draws, 5)))
    spoiled = f"{manual.comment}\n\n{good}{short}\n{nameless}\n{good}"
    files = {"good": good, "spoiled": spoiled}
    call = (order, "name", measure, "sum")
    return [
        Case(call, _text(numbers)),
        Case((*call, lenient), _text(numbers)),
        Case((*call, "good", "spoiled", "good"), "", files),
        Case((*call, lenient, "good", "spoiled", "-"), f"{nameless}\n{good}", files),
        Case((*call, lenient, "none", "spoiled"), "", files),
        Case((*call, "none", "spoiled"), "", files),
        Case((*call, lenient, "spoiled", "none", "good"), "", files),
        Case((order, "name", measure, "count"), _text(numbers)),
        Case((order, "name", measure, "count", lenient), f"{_text(numbers)}{nameless}\n"),
        Case((*call, lenient), f"{short}\n"),
    ]
