from __future__ import annotations

from tests.attacks_on_cohorts.kit import Code, Lie, Sample


def tell(made: Sample) -> None:
    made.result().update(started_at="1998-01-01T00:00:00Z", finished_at="1998-01-01T00:00:01Z")


LIE = Lie(frozenset({Code.DATES_OUT_OF_ORDER}), tell=tell)
