from __future__ import annotations

from tests.attacks_on_cohorts.kit import Code, Lie, Sample


def tell(made: Sample) -> None:
    made.negative()["result_manifest_id"] = made.manifest()["id"]


LIE = Lie(frozenset({Code.NEGATIVE_NAMES_ACCEPTED_ATTEMPT}), tell=tell)
