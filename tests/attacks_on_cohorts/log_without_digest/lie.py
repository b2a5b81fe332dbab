from __future__ import annotations

from tests.attacks_on_cohorts.kit import Code, Lie, Sample


def tell(made: Sample) -> None:
    del made.manifest()["logs"][0]["digest"]


LIE = Lie(frozenset({Code.ARTIFACT_CHANGED}), tell=tell, real=False)
