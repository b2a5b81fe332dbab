from __future__ import annotations

from tests.attacks_on_cohorts.kit import PENDING, Code, Lie, Sample


def tell(made: Sample) -> None:
    for task in made.cohort["tasks"]:
        task["declared_structural_signatures"].append("role-specialized-pair-v7")
    made.task(4)["declared_structural_signatures"][-1] = "role-specialized-independent-pair-v7"


LIE = Lie(frozenset({Code.NEAR_MISS_SIGNATURE}), tell=tell, shape=PENDING)
