from __future__ import annotations

from tests.attacks_on_cohorts.kit import PENDING, Code, Lie, Sample, hide, show


def tell(made: Sample) -> None:
    made.cohort["stage"] = "collecting"
    show(made, hide(made).to_bytes())


LIE = Lie(frozenset({Code.REVEAL_BEFORE_FREEZE}), tell=tell, shape=PENDING, real=False)
