from __future__ import annotations

from tests.attacks_on_cohorts.kit import Code, Lie, Sample


def tell(made: Sample) -> None:
    made.negative()["decision_support"]["recommendation"] = "escalate"


LIE = Lie(frozenset({Code.NEGATIVE_NOT_REJECTED}), tell=tell)
