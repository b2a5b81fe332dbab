from __future__ import annotations

from tests.attacks_on_cohorts.kit import Code, Lie, Sample


def tell(made: Sample) -> None:
    attempts = made.task()["evidence"]["attempts"]
    other = made.task()["declared_structural_signatures"][1]
    attempts[1:] = [{**attempts[0], "attempt_id": "another", "structural_signature": other}]


LIE = Lie(frozenset({Code.RESULT_COUNTED_TWICE, Code.SIGNATURE_DRIFT}), tell=tell)
