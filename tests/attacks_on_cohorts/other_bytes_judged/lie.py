from __future__ import annotations

from tests.attacks_on_cohorts.kit import Code, Lie, Sample


def tell(made: Sample) -> None:
    made.result()["evidence"][0]["digest"] = "sha256:" + "2" * 64


LIE = Lie(frozenset({Code.ARTIFACT_CHANGED}), tell=tell, real=False)
