from __future__ import annotations

from tests.attacks_on_cohorts.kit import Code, Lie, Sample, Shape


def tell(made: Sample) -> None:
    for task in range(1, 5):
        del made.task(task)["evidence"]["attempts"][2:]


LIE = Lie(frozenset({Code.BUDGET_UNEQUAL}), tell=tell, shape=Shape(attempts=2), real=False, complete=True)
