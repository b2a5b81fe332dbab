from __future__ import annotations

from tests.attacks_on_cohorts.kit import PENDING, Code, Lie, Sample


def tell(made: Sample) -> None:
    for task in made.cohort["tasks"]:
        names = task["declared_structural_signatures"]
        names.append(names[0].replace("o", "\u043e").replace("e", "\u0435"))


LIE = Lie(frozenset({Code.CONFUSABLE_NAME}), tell=tell, shape=PENDING)
