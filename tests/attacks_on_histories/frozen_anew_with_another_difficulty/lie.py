from __future__ import annotations

from tests.attacks_on_histories.kit import HistoryCode, HistoryLie, Life


def tell(life: Life) -> None:
    life.lie(lambda value: value["tasks"][0].update(difficulty="large"), recorded=True)


LIE = HistoryLie(frozenset({HistoryCode.REFROZEN, HistoryCode.COHORT_CHANGED}), tell=tell)
