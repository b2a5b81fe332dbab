from __future__ import annotations

from tests.attacks_on_cohorts.kit import PENDING, Code, Lie, Sample


def tell(made: Sample) -> None:
    for task in made.cohort["tasks"]:
        task["declared_structural_signatures"].append("three\u200bworkers")


LIE = Lie(frozenset({Code.HIDDEN_CHARACTER}), tell=tell, shape=PENDING)
