from __future__ import annotations

from tests.attacks_on_cohorts.kit import Code, Lie, Sample


def tell(made: Sample) -> None:
    made.manifest()["started_at"] = made.manifest()["finished_at"].replace("2026", "2027")
    made.result().update(started_at="2028-01-01T00:00:00Z", finished_at="2028-01-01T00:00:00Z")


LIE = Lie(frozenset({Code.DATES_OUT_OF_ORDER}), tell=tell)
