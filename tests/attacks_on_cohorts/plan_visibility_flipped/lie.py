from __future__ import annotations

from tests.attacks_on_cohorts.kit import Code, Lie, Sample


def tell(made: Sample) -> None:
    made.plan()["visibility"] = "hidden"


LIE = Lie(frozenset({Code.PLAN_VISIBILITY_DRIFT}), tell=tell)
