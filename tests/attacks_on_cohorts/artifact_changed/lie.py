from __future__ import annotations

from tests.attacks_on_cohorts.kit import Code, Lie, Sample


def tell(made: Sample) -> None:
    made.artifacts["cohort/0000/attempt-1/candidate.patch"] = b"a better one"


LIE = Lie(frozenset({Code.ARTIFACT_CHANGED}), tell=tell, real=False)
