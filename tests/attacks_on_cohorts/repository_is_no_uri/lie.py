from __future__ import annotations

from tests.attacks_on_cohorts.kit import Code, Lie, Sample


def tell(made: Sample) -> None:
    for task in made.cohort["tasks"]:
        task["source"]["repository"] = "the usual place"


LIE = Lie(frozenset({Code.NOT_A_URI}), tell=tell)
