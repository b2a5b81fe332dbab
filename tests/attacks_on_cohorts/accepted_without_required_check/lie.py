from __future__ import annotations

from tests.attacks_on_cohorts.kit import Code, Lie, Sample


def tell(made: Sample) -> None:
    del made.result()["checks"][0]


LIE = Lie(frozenset({Code.REQUIRED_CHECK_MISSING}), tell=tell)
