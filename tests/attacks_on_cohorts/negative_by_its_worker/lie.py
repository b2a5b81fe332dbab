from __future__ import annotations

from tests.attacks_on_cohorts.kit import Code, Lie, Sample


def tell(made: Sample) -> None:
    made.negative()["verifier"]["id"] = made.negative()["independence"]["worker_id_observed"]


LIE = Lie(frozenset({Code.VERIFIER_IS_WORKER}), tell=tell)
