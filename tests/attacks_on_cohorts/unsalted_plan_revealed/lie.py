from __future__ import annotations

from tallystick.core import pyjson
from tests.attacks_on_cohorts.kit import Code, Lie, Sample, hide, show


def tell(made: Sample) -> None:
    plan = hide(made).plan
    made.task()["evaluator"]["plan_digest"] = pyjson.digest(plan)
    show(made, pyjson.canonical(plan))


LIE = Lie(frozenset({Code.REVEAL_GUESSABLE}), tell=tell)
