from __future__ import annotations

from tests.attacks_on_cohorts.kit import Code, Lie, Sample


def tell(made: Sample) -> None:
    made.result()["verifier"]["id"] = "key/" + "A" * 43


LIE = Lie(frozenset({Code.ATTESTATION_BROKEN}), tell=tell)
