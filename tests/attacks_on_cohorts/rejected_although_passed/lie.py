from __future__ import annotations

from tests.attacks_on_cohorts.kit import Code, Lie, Sample


def tell(made: Sample) -> None:
    made.result()["decision_support"]["recommendation"] = "reject_candidate"
    made.attempt()["outcome"] = "reject"


LIE = Lie(frozenset({Code.VERDICT_CONTRADICTS_STATUS}), tell=tell)
