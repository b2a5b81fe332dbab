from __future__ import annotations

from tests.attacks_on_cohorts.kit import Code, Lie, Sample


def tell(made: Sample) -> None:
    del made.manifest()["extensions"]["org.idkmesh.benchmark.structural_signature"]


LIE = Lie(frozenset({Code.SIGNATURE_DRIFT}), tell=tell)
