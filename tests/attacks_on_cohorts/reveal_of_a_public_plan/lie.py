from __future__ import annotations

from tallystick.records.cohort.opening import Opening
from tests.attacks_on_cohorts.kit import SALT, Code, Lie, Sample, show


def tell(made: Sample) -> None:
    show(made, Opening(made.plan(), SALT).to_bytes())


LIE = Lie(frozenset({Code.REVEAL_MISMATCH}), tell=tell)
