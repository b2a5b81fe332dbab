from __future__ import annotations

from tests.attacks_on_cohorts.kit import Code, Lie, Sample


def tell(made: Sample) -> None:
    made.result()["status"] = "failed"


LIE = Lie(frozenset({Code.VERDICT_CONTRADICTS_STATUS}), tell=tell)
