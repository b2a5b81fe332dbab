"""A report of a cohort as Markdown. Text of others stands in code spans."""

from __future__ import annotations

from collections.abc import Iterator

from tallystick.flows.cohort.report import CohortReport
from tallystick.flows.cohort.said import (
    budgets_line,
    compared_lines,
    excluded_lines,
    interval,
    no_rank,
    strategy_name,
    tasks_line,
)
from tallystick.flows.export import code
from tallystick.flows.words import percent

__all__ = ["report_markdown"]


def report_markdown(report: CohortReport) -> Iterator[str]:
    """The text in pieces."""
    yield f"**{code(report.cohort.id)}**, {report.cohort.stage.value}, definition {code(report.definition_digest)}\n\n"
    yield f"{tasks_line(report)}\n\n"
    yield from (f"- {code(line)}\n" for line in (*excluded_lines(report), *report.notes))
    yield "\n| structural signature | attempts | supported | rate | 95 % interval |\n|---|---|---|---|---|\n"
    for row in report.rows:
        yield f"| {code(row.signature)} | {row.attempts} | {row.supported} | {percent(row.rate)} | {interval(row.interval)} |\n"
    yield "\n"
    yield from (f"- {code(line)}\n" for line in budgets_line(report))
    if report.strategies:
        yield "\n| strategy | one is supported | 95 % interval |\n|---|---|---|\n"
        for each in report.strategies:
            yield f"| {code(strategy_name(each))} | {percent(each.mean)} | {interval(each.interval)} |\n"
    yield "\n"
    if report.compared is None:
        yield f"{no_rank(report)}\n"
    else:
        yield from (f"- {code(line)}\n" for line in compared_lines(report.compared))
    yield from _tasks(report)


def _tasks(report: CohortReport) -> Iterator[str]:
    names = [row.signature for row in report.rows]
    if report.tasks and names:
        yield f"\n| task | {' | '.join(code(name) for name in names)} |\n|---|{'---|' * len(names)}\n"
        for each in report.tasks:
            cells = (f"{each.seen[name].passes}/{each.seen[name].attempts}" if name in each.seen else "-" for name in names)
            yield f"| {code(each.task.id)}{' (excluded)' if each.excluded else ''} | {' | '.join(cells)} |\n"
