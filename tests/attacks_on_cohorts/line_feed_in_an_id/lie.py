from __future__ import annotations

from tests.attacks_on_cohorts.kit import Code, Lie, Sample


def tell(made: Sample) -> None:
    made.cohort["id"] += "\n"


LIE = Lie(frozenset({Code.TRAILING_NEWLINE, Code.HIDDEN_CHARACTER}), tell=tell)
