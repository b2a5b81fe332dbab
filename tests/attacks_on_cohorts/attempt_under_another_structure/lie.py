from __future__ import annotations

from tests.attacks_on_cohorts.kit import Code, Lie, Sample


def tell(made: Sample) -> None:
    first, second = made.task()["declared_structural_signatures"][:2]
    for attempt in made.task()["evidence"]["attempts"]:
        attempt["structural_signature"] = second if attempt["structural_signature"] == first else first


LIE = Lie(frozenset({Code.SIGNATURE_DRIFT}), tell=tell)
