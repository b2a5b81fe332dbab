"""A report of a cohort as one HTML page that needs nothing else: tables, and plots with the same numbers.

What others wrote is escaped in `markup`; the page holds no script, and its policy allows the one style sheet by its hash.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Final

import tallystick
from tallystick.core.exact import to_num
from tallystick.flows.cohort.report import CohortReport, CountedTask, SignatureRow
from tallystick.flows.cohort.said import (
    budgets_line,
    compared_lines,
    excluded_lines,
    interval,
    no_rank,
    strategy_name,
    tasks_line,
)
from tallystick.flows.markup import Markup, el, join
from tallystick.flows.page.head import page_asset, page_head
from tallystick.flows.page.overview import finding, table
from tallystick.flows.words import percent, points, spread
from tallystick.flows.writing import write_whole
from tallystick.records.reliability import ClusteredInterval
from tallystick.scoring.diversity import Difference, Strategy

__all__ = ["report_page", "write_report"]

_STYLE: Final = """
.plot { display: block; margin: .8rem 0; overflow: visible; max-width: 44rem; }
.plot line, .plot polyline { stroke: currentColor; fill: none; }
.plot .grid { stroke: var(--rule); }
.plot text { fill: var(--soft); font-size: 12px; }
.plot .s1 { stroke-dasharray: 6 3; } .plot .s2 { stroke-dasharray: 2 3; } .plot .s3 { stroke-dasharray: 8 3 2 3; }
.plot circle { fill: var(--paper); stroke: currentColor; stroke-width: 1.5; }
.barred { min-width: 14rem; }
"""
_WIDTH: Final = 600
_HEIGHT: Final = 220
_LEFT: Final = 44
_STROKES: Final = 4
"""Kinds of lines that a plot has; further signatures begin again, and the table beside it names them all."""


def write_report(report: CohortReport, out: Path, sources: Sequence[Path] = ()) -> int:
    """Write the page, whole or not at all; its size in bytes. Errors as `flows.writing.write_whole`."""
    return write_whole(out, (piece.encode() for piece in report_page(report)), sources)


def report_page(report: CohortReport) -> Iterator[str]:
    """The page in pieces."""
    yield page_head(f"Cohort {report.cohort.id}", page_asset("page.css") + _STYLE)
    yield "<body>\n"
    yield _header(report)
    yield el("main", *_sections(report))
    yield el("footer", el("p", f"Made by tally {tallystick.__version__}. This file needs no network and sends nothing."))
    yield "\n</body>\n</html>\n"


def _header(report: CohortReport) -> Markup:
    facts = el("p", tasks_line(report), class_="quiet")
    digest = el("p", "definition ", el("code", report.definition_digest), class_="quiet")
    gone = list(excluded_lines(report))
    remarks = [finding("open", "", "Excluded after outcomes.", gone[0], _listed(gone[1:]))] if gone else []
    remarks += [finding("open", "", "Note.", note) for note in report.notes]
    named = el("p", el("bdi", report.cohort.id), f", {report.cohort.stage.value}", class_="agent")
    return el("header", el("h1", "What the evidence of a cohort shows"), named, facts, digest, *remarks)


def _listed(lines: Sequence[str]) -> Markup:
    return el("ul", *(el("li", line) for line in lines)) if lines else Markup("")


def _sections(report: CohortReport) -> Iterator[Markup]:
    yield _section("signatures", "Structural signatures", _signatures(report.rows), _curves(report.rows))
    side = [_strategies(report.strategies)] if report.strategies else []
    yield _section("strategies", "Replication and diversity", _listed(list(budgets_line(report))), *side)
    yield _section("compared", "Held against each other", _compared(report))
    yield _section("tasks", "Tasks", _tasks(report.tasks, [row.signature for row in report.rows]))


def _section(name: str, title: str, *held: Markup) -> Markup:
    return el("section", el("h2", title, id=f"{name}-title"), *held, id=name, aria_labelledby=f"{name}-title")


def _signatures(rows: Sequence[SignatureRow]) -> Markup:
    lines = (
        el(
            "tr",
            el("th", el("bdi", row.signature), scope="row"),
            el("td", f"{row.supported}/{row.attempts}", class_="num"),
            el("td", percent(row.rate), class_="num"),
            el("td", interval(row.interval), class_="num"),
            el("td", _bar(row.rate, row.interval), class_="barred"),
        )
        for row in rows
    )
    return table(("Signature", "Supported", "Rate", "95 % interval", "From 0 to 100 %"), lines, "Attempts by signature")


def _strategies(strategies: Sequence[Strategy]) -> Markup:
    lines = (
        el(
            "tr",
            el("th", el("bdi", strategy_name(each)), scope="row"),
            el("td", percent(each.mean), class_="num"),
            el("td", interval(each.interval), class_="num"),
            el("td", _bar(each.mean, each.interval), class_="barred"),
        )
        for each in strategies
    )
    return table(("Strategy", "One is supported", "95 % interval", "From 0 to 100 %"), lines, "Strategies of one budget")


def _bar(rate: Fraction, found: ClusteredInterval) -> Markup:
    """A rate on a line from 0 to 100 %, with its interval; the cells beside it say the same."""
    low, high = Decimal(found.low) * 100, Decimal(found.high) * 100
    at = f"{_hundredths(rate)}%"
    return el(
        "svg",
        el("line", x1="0%", x2="100%", y1=10, y2=10, class_="scale"),
        *(el("line", x1=f"{x}%", x2=f"{x}%", y1=10, y2=14, class_="tick") for x in (0, 25, 50, 75, 100)),
        el("rect", x=f"{low:.2f}%", width=f"{high - low:.2f}%", y=7, height=6, class_="spread"),
        el("line", x1=at, x2=at, y1=3, y2=17, class_="rate"),
        class_="bar",
        aria_hidden="true",
        width="100%",
        height=20,
    )


def _hundredths(rate: Fraction) -> str:
    return f"{Decimal(to_num(rate)) * 100:.2f}"


def _curves(rows: Sequence[SignatureRow]) -> Markup:
    """What 1, 2, ... attempts at a task are worth, by signature."""
    most = max((len(row.by_budget) for row in rows), default=0)
    if most < 2:  # noqa: PLR2004 - one point is no curve
        return Markup("")
    lines = [_curve(number, row, most) for number, row in enumerate(rows)]
    plot = el(
        "svg",
        *_grid(most),
        *lines,
        class_="plot",
        viewBox=f"0 0 {_WIDTH} {_HEIGHT}",
        role="img",
        aria_label="The chance that at least one of so many attempts at a task is supported, by signature",
    )
    return join((el("p", "The chance that at least one of so many attempts at a task is supported:"), plot))


def _grid(most: int) -> Iterator[Markup]:
    for share in (0, 50, 100):
        y = _y(Fraction(share, 100))
        yield el("line", x1=_LEFT, x2=_WIDTH - 10, y1=y, y2=y, class_="grid")
        yield el("text", f"{share} %", x=0, y=y)
    for k in sorted({1, most, (most + 1) // 2}):
        yield el("text", str(k), x=_x(k, most), y=_HEIGHT - 2, text_anchor="middle")


def _curve(number: int, row: SignatureRow, most: int) -> Markup:
    places = [(_x(k, most), _y(rate)) for k, rate in enumerate(row.by_budget, start=1)]
    line = el("polyline", points=" ".join(f"{x},{y}" for x, y in places), class_=f"s{number % _STROKES}")
    dots = [el("circle", cx=x, cy=y, r=3) for x, y in places]
    named = el("text", row.signature, x=places[-1][0], y=f"{Decimal(places[-1][1]) - 6}", text_anchor="end")
    return el("g", el("title", row.signature), line, *dots, named)


def _x(k: int, most: int) -> str:
    width = _WIDTH - _LEFT - 20
    return _tenths(_LEFT + 5 + Fraction(width * (k - 1), max(1, most - 1)))


def _y(rate: Fraction) -> str:
    return _tenths(16 + (1 - rate) * (_HEIGHT - 40))


def _tenths(value: Fraction) -> str:
    return f"{Decimal(round(value * 10)) / 10}"


def _compared(report: CohortReport) -> Markup:
    compared = report.compared
    if compared is None:
        return finding("open", "", "Not compared.", no_rank(report))
    first, *rest = compared_lines(compared)
    kind = "good" if compared.overall.shown else "open"
    box = finding(kind, "", f"{compared.standing}:", first.partition(": ")[2], _listed(rest))
    return join((box, el("p", "From -100 to +100 points:", class_="quiet"), _spread(compared.overall)))


def _spread(found: Difference) -> Markup:
    """The difference and its interval on a line from -100 to +100 points."""

    def at(value: Fraction) -> Decimal:
        return (Decimal(to_num(value)) + 1) * 50

    low, high, mean = at(found.low), at(found.high), at(found.mean)
    shown = [el("rect", x=f"{low:.2f}%", width=f"{high - low:.2f}%", y=17, height=6, class_="spread")] if low < high else []
    return el(
        "svg",
        el("line", x1="0%", x2="100%", y1=20, y2=20, class_="scale"),
        *(el("line", x1=f"{x}%", x2=f"{x}%", y1=20, y2=26, class_="tick") for x in (0, 50, 100)),
        *shown,
        el("line", x1=f"{mean:.2f}%", x2=f"{mean:.2f}%", y1=12, y2=28, class_="rate"),
        class_="bar",
        role="img",
        aria_label=f"{points(found.mean)}, {spread(found.low, found.high)}",
        width="100%",
        height=36,
    )


def _tasks(tasks: Sequence[CountedTask], names: Sequence[str]) -> Markup:
    lines = (
        el(
            "tr",
            el("th", el("bdi", each.task.id), " (excluded, counts as not supported)" if each.excluded else "", scope="row"),
            el("td", each.task.family.value),
            *(el("td", _cell(each, name), class_="num") for name in names),
        )
        for each in tasks
    )
    return table(("Task", "Family", *names), lines, "Attempts supported, by task and signature")


def _cell(each: CountedTask, name: str) -> str:
    count = each.seen.get(name)
    return "-" if count is None else f"{count.passes}/{count.attempts}"
