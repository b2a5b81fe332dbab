"""What a report of a cohort says, in words that its three forms share."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tallystick.flows.cohort.report import CohortReport, Compared
from tallystick.flows.words import chance, percent, plural, points, spread
from tallystick.records.reliability import ClusteredInterval
from tallystick.scoring.diversity import Difference, Strategy

__all__ = [
    "budgets_line",
    "compared_lines",
    "difference",
    "excluded_lines",
    "interval",
    "no_rank",
    "strategy_name",
    "tasks_line",
]

_NO_RANK: Final = "No order follows from these numbers: nothing was tested"


def interval(found: ClusteredInterval) -> str:
    """`20 % to 80 %`."""
    return f"{percent(found.low)} to {percent(found.high)}"


def tasks_line(report: CohortReport) -> str:
    """How many tasks, and what has become of them."""
    parts = [f"{count} {name}" for name, count in report.statuses().items() if count]
    return f"{plural(len(report.cohort.tasks), 'task')}: {', '.join(parts)}"


def excluded_lines(report: CohortReport) -> Iterator[str]:
    """What was excluded after outcomes were seen, and how it counts."""
    gone = report.excluded
    if gone:
        attempts = sum(count.attempts for each in gone for count in each.seen.values())
        supported = sum(count.passes for each in gone for count in each.seen.values())
        yield (
            f"{plural(len(gone), 'task')} excluded after outcomes were seen: {plural(attempts, 'attempt')} "
            f"({supported} supported) count as not supported"
        )
        yield from (f"{each.task.id}: {each.task.exclusion_reason}" for each in gone)


def budgets_line(report: CohortReport) -> Iterator[str]:
    """Whether every signature had as many attempts."""
    if report.unequal:
        yield "attempt budgets are not equal, so strategies are not put side by side"
        yield from report.unequal
    elif report.budget is None:
        yield f"replication and diversity are not put side by side: {_why_no_budget(len(report.rows))}"
    else:
        yield f"attempt budgets are equal; each strategy spends {plural(report.budget, 'attempt')} at each task"


def _why_no_budget(signatures: int) -> str:
    if signatures < 2:  # noqa: PLR2004 - one structure can be repeated, but not mixed
        return f"attempts of two structural signatures are needed, and there are attempts of {signatures}"
    return (
        f"each of the {signatures} signatures needs an attempt at every task, and one of them {signatures}, since replication "
        "spends on a single signature what diversity spends on all of them"
    )


def no_rank(report: CohortReport) -> str:
    """Why nothing is compared: nobody asked, or there is nothing to compare."""
    if report.asked:
        return f"{_NO_RANK}, since replication and diversity are not put side by side."
    return f"{_NO_RANK}. With --compare, strategies are held against each other."


def strategy_name(strategy: Strategy) -> str:
    """`replication: 2 x A`, `diversity: 1 x A + 1 x B`."""
    return f"{strategy.kind}: {' + '.join(f'{count} x {name}' for name, count in strategy.picks)}"


def difference(found: Difference) -> str:
    """A difference with its interval and chance."""
    return f"{points(found.mean)}, {spread(found.low, found.high)}, {chance(found.p.value, exact=found.p.exact)}"


def compared_lines(compared: Compared) -> Iterator[str]:
    """The comparison: first what counts, then each signature, which is no test of its own."""
    overall = difference(compared.overall)
    yield f"{compared.standing}: diversity minus replication of a signature picked without looking: {overall}"
    yield from (f"diversity minus replication of {name}: {difference(found)}" for name, found in compared.each)
