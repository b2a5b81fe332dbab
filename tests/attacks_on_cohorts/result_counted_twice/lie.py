from __future__ import annotations

from tests.attacks_on_cohorts.kit import Code, Lie, Sample


def tell(made: Sample) -> None:
    attempts = made.task()["evidence"]["attempts"]
    attempts.append({**attempts[0], "attempt_id": "once-more"})


LIE = Lie(frozenset({Code.RESULT_COUNTED_TWICE}), tell=tell)
