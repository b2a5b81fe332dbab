from __future__ import annotations

from tests.attacks_on_cohorts.kit import Code, Lie, Sample


def tell(made: Sample) -> None:
    made.cohort["stage"] = "collecting"
    del made.cohort["definition_digest"]


LIE = Lie(frozenset({Code.OUTCOME_BEFORE_FREEZE}), tell=tell)
