from __future__ import annotations

from tests.attacks_on_cohorts.kit import Code, Lie, Sample


def tell(made: Sample) -> None:
    made.artifacts.pop("cohort/0000/attempt-1/candidate.patch")


LIE = Lie(frozenset({Code.ARTIFACT_MISSING}), tell=tell, real=False)
