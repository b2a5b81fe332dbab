from __future__ import annotations

from tests.attacks_on_cohorts.kit import Code, Lie, Sample


def tell(made: Sample) -> None:
    made.cohort["title"] = "Se\u0301rie"


LIE = Lie(frozenset({Code.NOT_NORMALIZED}), tell=tell)
