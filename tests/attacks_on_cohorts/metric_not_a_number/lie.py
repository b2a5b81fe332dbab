from __future__ import annotations

from tests.attacks_on_cohorts.kit import Code, Lie, Sample


def tell(made: Sample) -> None:
    made.manifest()["resources"]["wall_seconds"] = float("nan")


LIE = Lie(frozenset({Code.NUMBER_NOT_FINITE, Code.METRIC_NOT_A_NUMBER}), tell=tell)
