from __future__ import annotations

from tests.attacks_on_histories.kit import HistoryCode, HistoryLie, Life


def tell(life: Life) -> None:
    life.rewrite(life.entries[:-1])


LIE = HistoryLie(
    frozenset({HistoryCode.NEGATIVE_DRIFT, HistoryCode.OUTCOME_NOT_RECORDED, HistoryCode.COHORT_CHANGED}), tell=tell
)
