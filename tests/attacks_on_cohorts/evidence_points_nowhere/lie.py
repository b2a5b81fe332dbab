from __future__ import annotations

from tests.attacks_on_cohorts.kit import Code, Lie, Sample


def tell(made: Sample) -> None:
    made.result()["checks"][0]["evidence_ids"] = ["somewhere"]


LIE = Lie(frozenset({Code.EVIDENCE_UNRESOLVED}), tell=tell)
