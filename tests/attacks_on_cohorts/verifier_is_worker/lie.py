from __future__ import annotations

from tests.attacks_on_cohorts.kit import Code, Lie, Sample


def tell(made: Sample) -> None:
    made.result()["verifier"]["id"] = made.manifest()["worker"]["id"]


LIE = Lie(frozenset({Code.VERIFIER_IS_WORKER}), tell=tell)
