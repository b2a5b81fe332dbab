"""A comparison as one JSON value, for programs."""

from __future__ import annotations

from fractions import Fraction

from tallystick.core import c1
from tallystick.core.exact import to_num
from tallystick.flows.compare import Compared
from tallystick.flows.compare.said import headline
from tallystick.flows.groups import TaskGroup, passed
from tallystick.flows.page.sides import Side
from tallystick.scoring.bootstrap import SEED

__all__ = ["comparison_tree"]


def comparison_tree(compared: Compared) -> dict[str, c1.Tree]:
    """The comparison as one JSON value; members are described in docs/eval/comparing.md."""
    paired = compared.paired
    return {
        "a": _side_tree(compared.sides[0], paired.rate_a),
        "attempts": paired.attempts,
        "b": _side_tree(compared.sides[1], paired.rate_b),
        "difference": to_num(paired.difference),
        "headline": headline(paired),
        "interval": {
            "high": to_num(paired.high),
            "low": to_num(paired.low),
            "method": "bootstrap_over_tasks",
            "resamples": paired.resamples,
            "seed": SEED,
        },
        "mcnemar": {
            "exact": paired.p_pairs.exact,
            "only_a": paired.only_a,
            "only_b": paired.only_b,
            "p": to_num(paired.p_pairs.value),
        },
        "notes": list(compared.notes),
        "sign_flip": {"exact": paired.p.exact, "p": to_num(paired.p.value)},
        **({} if paired.least is None else {"smallest_difference": to_num(paired.least)}),
        "standing": paired.standing,
        "suite_hash": compared.bundles[0].suite_hash,
        "suite_version": compared.bundles[0].suite_version,
        "tasks": [_task_tree(each) for each in compared.groups],
    }


def _side_tree(side: Side, rate: Fraction) -> dict[str, c1.Tree]:
    bundle, report = side.bundle, side.report
    assert report is not None  # sides are compared after they were verified
    return {
        "agent": bundle.agent.name,
        "bundle_hash": bundle.bundle_hash,
        "level": report.level,
        "pass_rate": to_num(rate),
        "passed": bundle.totals.passed,
        "self_test": bundle.agent.self_test,
        "signer": report.signer,
        "signer_kid": report.signer_kid,
    }


def _task_tree(each: TaskGroup) -> dict[str, c1.Tree]:
    a, b = (passed(results) for results in each.results)
    return {"change": each.change or "same", "id": each.task.id, "passed_a": a, "passed_b": b}
