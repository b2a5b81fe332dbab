from __future__ import annotations

from tests.attacks_on_cohorts.kit import Code, Lie, Sample


def tell(made: Sample) -> None:
    made.cohort["stage"] = "collecting"
    del made.cohort["definition_digest"]
    for task in made.cohort["tasks"]:
        task["evidence"] = {"status": "excluded", "attempts": [], "exclusion_reason": "not yet"}


LIE = Lie(frozenset({Code.OUTCOME_BEFORE_FREEZE}), tell=tell, real=False)
