"""A report of a cohort as one JSON value, for programs. Members are described in docs/cohorts/from-a-suite.md."""

from __future__ import annotations

from fractions import Fraction

from tallystick.core import c1
from tallystick.core.exact import to_num
from tallystick.flows.cohort.report import CohortReport, Compared, CountedTask, SignatureRow
from tallystick.records.reliability import ClusteredInterval
from tallystick.scoring.diversity import Difference, Strategy

__all__ = ["report_tree"]


def report_tree(report: CohortReport) -> dict[str, c1.Tree]:
    """The report; `compared` is there only where it was asked for and could be made."""
    return {
        "attempt_budgets_equal": not report.unequal,
        "automatic_candidate_selection": False,
        "cohort_id": report.cohort.id,
        "definition_digest": report.definition_digest,
        "excluded_after_outcomes": [each.task.id for each in report.excluded],
        "history": report.with_history,
        "notes": list(report.notes),
        "signatures": [_row(row) for row in report.rows],
        "stage": report.cohort.stage.value,
        "strategies": [_strategy(each) for each in report.strategies],
        "tasks": [_task(each) for each in report.tasks],
        "tasks_by_status": dict(report.statuses()),
        "unequal": list(report.unequal),
        "unused_signatures": list(report.unused),
        **({} if report.budget is None else {"budget": report.budget}),
        **({} if report.compared is None else {"compared": _compared(report.compared)}),
    }


def _row(row: SignatureRow) -> c1.Tree:
    return {
        "attempts": row.attempts,
        "by_budget": [to_num(rate) for rate in row.by_budget],
        "interval": _interval(row.interval),
        "rate": to_num(row.rate),
        "signature": row.signature,
        "supported": row.supported,
    }


def _interval(found: ClusteredInterval) -> c1.Tree:
    return {"high": found.high, "low": found.low, "method": found.method}


def _strategy(strategy: Strategy) -> c1.Tree:
    return {
        "attempts": [{"count": count, "signature": name} for name, count in strategy.picks],
        "budget": strategy.budget,
        "interval": _interval(strategy.interval),
        "kind": strategy.kind,
        "rate": to_num(strategy.mean),
    }


def _task(each: CountedTask) -> c1.Tree:
    return {
        "excluded_after_outcomes": each.excluded,
        "family": each.task.family.value,
        "id": each.task.id,
        "signatures": [
            {
                "attempts": count.attempts,
                "counted_as_supported": each.counts[name].passes,
                "signature": name,
                "supported": count.passes,
            }
            for name, count in each.seen.items()
        ],
    }


def _compared(compared: Compared) -> c1.Tree:
    return {
        "diversity_minus_replication": _difference(compared.overall),
        "each": [{"signature": name, **_difference(found)} for name, found in compared.each],
        "standing": compared.standing,
    }


def _difference(found: Difference) -> dict[str, c1.Tree]:
    return {
        "difference": to_num(found.mean),
        "exact": found.p.exact,
        "high": to_num(found.high),
        "low": to_num(found.low),
        "p": to_num(Fraction(found.p.value)),
    }
