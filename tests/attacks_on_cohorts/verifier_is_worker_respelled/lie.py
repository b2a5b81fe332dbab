from __future__ import annotations

from tests.attacks_on_cohorts.kit import Code, Lie, Sample


def tell(made: Sample) -> None:
    name = made.manifest()["worker"]["id"]
    made.result()["verifier"]["id"] = name.replace("o", "\u043e").replace("-", "_").upper()


LIE = Lie(frozenset({Code.VERIFIER_IS_WORKER}), tell=tell)
