from __future__ import annotations

from tests.attacks_on_cohorts.kit import Code, Lie, Sample


def tell(made: Sample) -> None:
    del made.task()["evidence"]["attempts"][1]


LIE = Lie(frozenset({Code.BUDGET_UNEQUAL}), tell=tell, real=False, complete=True)
