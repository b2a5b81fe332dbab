from __future__ import annotations

from tests.attacks_on_cohorts.kit import Code, Lie, Sample


def tell(made: Sample) -> None:
    for validator in made.unit()["validators"]:
        validator["required"] = False
    made.task()["evaluator"]["visibility"] = "hidden"
    del made.task()["evaluator"]["plan_path"]


LIE = Lie(frozenset({Code.NO_REQUIRED_VALIDATOR}), tell=tell)
