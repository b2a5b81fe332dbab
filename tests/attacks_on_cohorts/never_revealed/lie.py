from __future__ import annotations

from tests.attacks_on_cohorts.kit import Code, Lie, Sample, hide


def tell(made: Sample) -> None:
    hide(made)
    made.cohort["stage"] = "burned"


LIE = Lie(frozenset({Code.HIDDEN_NOT_REVEALED}), tell=tell)
