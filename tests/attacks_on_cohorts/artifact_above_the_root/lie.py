from __future__ import annotations

from tests.attacks_on_cohorts.kit import Code, Lie, Sample


def tell(made: Sample) -> None:
    made.manifest()["logs"][0]["locator"] = "../../../../etc/hostname"


LIE = Lie(frozenset({Code.ARTIFACT_MISSING}), tell=tell)
