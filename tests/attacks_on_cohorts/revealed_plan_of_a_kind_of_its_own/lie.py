from __future__ import annotations

from tallystick.records.cohort.opening import Opening
from tests.attacks_on_cohorts.kit import SALT, Code, Lie, Sample, hide, show


def tell(made: Sample) -> None:
    opening = Opening({**hide(made).plan, "schema_version": "9.9"}, SALT)
    made.task()["evaluator"]["plan_digest"] = opening.commitment
    show(made, opening.to_bytes())


LIE = Lie(frozenset({Code.PLAN_VERSION_UNSUPPORTED}), tell=tell)
