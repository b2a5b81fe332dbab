from __future__ import annotations

from tests.attacks_on_histories.kit import HistoryCode, HistoryLie, Life


def tell(life: Life) -> None:
    life.lie(lambda value: value["tasks"][0]["evidence"]["attempts"].pop())


LIE = HistoryLie(frozenset({HistoryCode.OUTCOME_DROPPED, HistoryCode.COHORT_CHANGED}), tell=tell)
