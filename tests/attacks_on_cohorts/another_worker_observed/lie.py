from __future__ import annotations

from tests.attacks_on_cohorts.kit import Code, Lie, Sample


def tell(made: Sample) -> None:
    made.result()["independence"]["worker_id_observed"] = "somebody-else"


LIE = Lie(frozenset({Code.OBSERVED_WORKER_DRIFT}), tell=tell)
