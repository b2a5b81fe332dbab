from __future__ import annotations

from tests.attacks_on_cohorts.kit import Code, Lie, Sample, hide, show


def tell(made: Sample) -> None:
    opening = hide(made, of=1)
    show(made, opening.to_bytes())


LIE = Lie(frozenset({Code.PLAN_DRIFT}), tell=tell)
