from __future__ import annotations

from tests.attacks_on_histories.kit import HistoryCode, HistoryLie, Life


def tell(life: Life) -> None:
    life.lie(lambda value: value.pop("extensions"))


LIE = HistoryLie(frozenset({HistoryCode.REVEAL_NOT_RECORDED, HistoryCode.COHORT_CHANGED}), tell=tell, begin="revealed")
