from __future__ import annotations

from tests.attacks_on_cohorts.kit import Code, Lie, Sample


def tell(made: Sample) -> None:
    made.manifest()["produced_artifacts"][0]["locator"] = "https://example.org/candidate.patch"


LIE = Lie(frozenset({Code.ARTIFACT_MISSING}), tell=tell)
