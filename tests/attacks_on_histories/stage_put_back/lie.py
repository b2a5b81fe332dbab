from __future__ import annotations

from tests.attacks_on_histories.kit import HistoryCode, HistoryLie, Life


def tell(life: Life) -> None:
    life.lie(lambda value: value.update(stage="collecting"))


LIE = HistoryLie(frozenset({HistoryCode.STAGE_BACKWARDS, HistoryCode.COHORT_CHANGED}), tell=tell, begin="frozen")
