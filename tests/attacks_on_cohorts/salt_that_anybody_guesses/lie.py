from __future__ import annotations

from tallystick.core import pyjson
from tests.attacks_on_cohorts.kit import Code, Lie, Sample, hide, show


def tell(made: Sample) -> None:
    value: pyjson.Json = {"plan": hide(made).plan, "salt": "0" * 64}
    made.task()["evaluator"]["plan_digest"] = pyjson.digest(value)
    show(made, pyjson.canonical(value))


LIE = Lie(frozenset({Code.REVEAL_GUESSABLE}), tell=tell)
