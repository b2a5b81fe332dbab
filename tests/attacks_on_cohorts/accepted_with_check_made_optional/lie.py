from __future__ import annotations

from tests.attacks_on_cohorts.kit import Code, Lie, Sample


def tell(made: Sample) -> None:
    made.result()["checks"][0] |= {"status": "skipped", "required": False}


LIE = Lie(frozenset({Code.VERDICT_CONTRADICTS_CHECKS}), tell=tell)
