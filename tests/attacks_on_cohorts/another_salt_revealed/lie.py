from __future__ import annotations

from tallystick.records.cohort.opening import Opening
from tests.attacks_on_cohorts.kit import OTHER_SALT, Code, Lie, Sample, hide, show


def tell(made: Sample) -> None:
    opening = hide(made)
    show(made, Opening(opening.plan, OTHER_SALT).to_bytes())


LIE = Lie(frozenset({Code.REVEAL_MISMATCH}), tell=tell)
