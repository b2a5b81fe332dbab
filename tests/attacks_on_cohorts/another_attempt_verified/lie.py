from __future__ import annotations

from tests.attacks_on_cohorts.kit import Code, Lie, Sample


def tell(made: Sample) -> None:
    made.result()["attempt"] = made.manifest()["attempt"] + 1


LIE = Lie(frozenset({Code.ATTEMPT_NUMBER_DRIFT}), tell=tell)
