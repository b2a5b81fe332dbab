from __future__ import annotations

from tests.attacks_on_histories.kit import HistoryCode, HistoryLie, Life


def tell(life: Life) -> None:
    life.lie(lambda value: value["tasks"].__setitem__(2, life.source.task(2)))


LIE = HistoryLie(
    frozenset({HistoryCode.NEGATIVE_DRIFT, HistoryCode.OUTCOME_NOT_RECORDED, HistoryCode.COHORT_CHANGED}), tell=tell
)
