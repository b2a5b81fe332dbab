"""The tasks of a page: a table of all attempts, then for each task what it asked and a line for each attempt."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from tallystick.flows.groups import Change, TaskGroup, changes, passed
from tallystick.flows.markup import Markup, el, visible
from tallystick.flows.page.overview import label
from tallystick.flows.page.sides import Side
from tallystick.flows.show import why
from tallystick.flows.words import seconds
from tallystick.records.base import UNSET
from tallystick.records.bundle import TaskResult
from tallystick.records.report import Status
from tallystick.suites.instruction import instruction

__all__ = ["Line", "lines_of", "matrix", "sections"]

_INSTRUCTION_CHARS: Final = 20_000
_WHY_CHARS: Final = 300
_CHANGES: Final[Mapping[Change, str]] = {
    "more": "▲ B passes more",
    "fewer": "▼ B passes fewer",
    "same": "the same",
    "only in A": "only in A",
    "only in B": "only in B",
}


@dataclass(frozen=True, slots=True)
class Line:
    """An attempt's place on the page: `id` names its line, `data-<id>` what is laid out when it is opened."""

    id: str
    side: Side
    result: TaskResult


def lines_of(groups: Sequence[TaskGroup], sides: Sequence[Side]) -> dict[str, tuple[tuple[Line, ...], ...]]:
    """The lines of each task by its id, those of each side."""
    found: dict[str, tuple[tuple[Line, ...], ...]] = {}
    for number, each in enumerate(groups, 1):
        found[each.task.id] = tuple(
            tuple(Line(f"t{number}{side.mark.lower()}-{result.attempt.index}", side, result) for result in results)
            for side, results in zip(sides, each.results, strict=True)
        )
    return found


def matrix(groups: Sequence[TaskGroup], sides: Sequence[Side], lines: Mapping[str, tuple[tuple[Line, ...], ...]]) -> Markup:
    """Tasks by attempts: a tall stroke for an attempt that passed, a short one for another."""
    two = len(sides) > 1
    heads = [el("th", "Task", scope="col")]
    for side in sides:
        heads.append(el("th", side.mark or "Passed", scope="col"))
        heads.append(el("th", f"Attempts{' of ' + side.mark if side.mark else ''}", scope="col"))
    if two:
        heads.append(el("th", "Difference", scope="col"))
    rows = (_row(number, each, lines[each.task.id]) for number, each in enumerate(groups, 1))
    table = el(
        "table",
        el("caption", "Tasks and their attempts", class_="unseen"),
        el("thead", el("tr", *heads)),
        el("tbody", *rows),
        class_="matrix",
    )
    said = el("p", f"{changes(groups)}.") if two else ""
    doubted = any(_doubt(line) for sides_of in lines.values() for own in sides_of for line in own)
    more = " A hollow one claims what did not verify." if doubted else ""
    key = el("p", f"A tall stroke is an attempt that passed, a short one an attempt that did not.{more}", class_="quiet")
    return el("div", said, el("div", table, class_="wide"), key)


def _row(number: int, each: TaskGroup, lines: Sequence[Sequence[Line]]) -> Markup:
    cells = []
    for results, own in zip(each.results, lines, strict=True):
        cells.append(el("td", f"{passed(results)}/{len(results)}" if results else "-", class_="num"))
        cells.append(el("td", el("div", *(_notch(line) for line in own), class_="notches")))
    if each.change is not None:
        cells.append(el("td", _CHANGES[each.change], class_=f"change {each.change.partition(' ')[0]}"))
    head = el("th", el("a", each.task.id, href=f"#t{number}"), scope="row")
    return el("tr", head, *cells, data_task=f"t{number}")


def _notch(line: Line) -> Markup:
    word, kind = _verdict(line)
    named = f"{line.side.mark} attempt {line.result.attempt.index}: {word}".strip()
    return el("a", el("i"), href=f"#{line.id}", class_=f"notch {kind}", aria_label=named, title=named)


def _verdict(line: Line) -> tuple[str, str]:
    """The verdict in words, and its class; one that did not hold when it was checked is not shown as if it did."""
    word = "passed" if line.result.passed else "not passed"
    return (f"claims {word}", "doubted") if _doubt(line) else (word, word.partition(" ")[0])


def _doubt(line: Line) -> str:
    """The status of an attempt that does not verify, or nothing."""
    row = line.side.row(line.result)
    return "" if row is None or row.status is Status.MATCH else row.status.value


def sections(groups: Sequence[TaskGroup], lines: Mapping[str, tuple[tuple[Line, ...], ...]]) -> Iterator[Markup]:
    """A section for each task."""
    for number, each in enumerate(groups, 1):
        yield _section(number, each, lines[each.task.id])


def _section(number: int, each: TaskGroup, lines: Sequence[Sequence[Line]]) -> Markup:
    task, here = each.task, f"t{number}"
    limits = f"limits: {seconds(task.limits.wall_ms)}, {task.limits.cost_usd} USD, {task.limits.memory_mb} MB"
    alike = each.change in {None, "same"} and all(_verdict(line)[1] == "passed" for own in lines for line in own)
    return el(
        "section",
        el("h3", task.title, id=f"{here}-title"),
        el("p", el("code", task.id), f" {task.tier}, {task.category}, {len(task.assertions)} checks; {limits}", class_="quiet"),
        el(
            "details",
            el("summary", "What was asked"),
            el("pre", visible(instruction(task), _INSTRUCTION_CHARS), dir="auto"),
            class_="asked",
        ),
        el("div", *(_attempts(own) for own in lines), class_="sides"),
        class_="task",
        id=here,
        aria_labelledby=f"{here}-title",
        data_find=f"{task.id} {task.title}".lower(),
        data_state="passed" if alike else "attention",
    )


def _attempts(lines: Sequence[Line]) -> Markup:
    if not lines:
        return el("div", el("p", "No attempt at this task.", class_="quiet"))
    return el("div", *(_attempt(line) for line in lines))


def _attempt(line: Line) -> Markup:
    result = line.result
    word, kind = _verdict(line)
    finding = _doubt(line)
    which = f"attempt {result.attempt.index} of {result.attempt.of}"
    time = "" if result.observed is UNSET else seconds(result.observed.wall_ms)
    return el(
        "details",
        el(
            "summary",
            label(line.side),
            el("span", word, class_=f"verdict {kind}"),
            el("span", which, class_="which"),
            el("span", finding, class_="doubt") if finding else "",
            el("span", visible(why(result), _WHY_CHARS), class_="why"),
            el("span", time, class_="time", title="declared by the submitter") if time else "",
        ),
        el("div", class_="body"),
        class_="attempt" + (" marked" if line.side.mark else "") + (" shaken" if finding else ""),
        id=line.id,
        data_chunk=f"data-{line.id}",
    )
