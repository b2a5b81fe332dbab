"""A comparison as Markdown, for comments and step summaries. Text of others stands in code spans."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tallystick.flows.compare import Compared
from tallystick.flows.compare.said import figures, headline
from tallystick.flows.export import code
from tallystick.flows.groups import Change, TaskGroup, passed
from tallystick.flows.page.sides import Side
from tallystick.flows.words import percent, plural

__all__ = ["comparison_markdown", "differing"]

_TASKS: Final = 200
"""Rows of the table: a comment on GitHub holds 65,536 characters."""
_SIGNS: Final[dict[Change, str]] = {"more": "🔼", "fewer": "🔽", "same": "=", "only in A": "A", "only in B": "B"}


def comparison_markdown(compared: Compared) -> Iterator[str]:
    """The text in pieces."""
    yield f"**{headline(compared.paired)}**\n\n"
    yield "| | agent | passed | rate | verified | signer |\n|---|---|---|---|---|---|\n"
    yield from (_side(side) for side in compared.sides)
    yield "\n| figure | |\n|---|---|\n"
    yield from (f"| {name} | {value} |\n" for name, value in figures(compared.paired))
    yield "\n"
    yield from differing(compared)
    if compared.notes:
        yield "\n"
        yield from (f"- {code(note)}\n" for note in compared.notes)


def _side(side: Side) -> str:
    bundle, report = side.bundle, side.report
    totals = bundle.totals
    level, signer = ("-", "-") if report is None else (report.level, report.signer)
    counts = f"{totals.passed}/{totals.attempts} | {percent(bundle.pass_rate)}"
    return f"| {side.mark} | {code(bundle.agent.name)} | {counts} | {level} | {signer} |\n"


def differing(compared: Compared) -> Iterator[str]:
    """A table of the tasks at which the two do not pass the same share of their attempts."""
    changed = [each for each in compared.groups if each.change != "same"]
    if changed:
        yield "| | task | A | B |\n|---|---|---|---|\n"
        yield from (_task(each) for each in changed[:_TASKS])
        yield "\n"
    if len(changed) > _TASKS:
        yield f"{plural(len(changed) - _TASKS, 'task')} more differ. "
    yield f"The same at {plural(len(compared.groups) - len(changed), 'task')}.\n"


def _task(each: TaskGroup) -> str:
    a, b = (f"{passed(results)}/{len(results)}" for results in each.results)
    return f"| {_SIGNS[each.change or 'same']} | {code(each.task.id)} | {a} | {b} |\n"
