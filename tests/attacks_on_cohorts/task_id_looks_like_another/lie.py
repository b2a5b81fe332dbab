from __future__ import annotations

from tests.attacks_on_cohorts.kit import Code, Lie, Sample


def tell(made: Sample) -> None:
    made.task(0)["id"] = "sample/one/001"
    made.task(1)["id"] = "sample/one/00l"


LIE = Lie(frozenset({Code.CONFUSABLE_NAME}), tell=tell)
