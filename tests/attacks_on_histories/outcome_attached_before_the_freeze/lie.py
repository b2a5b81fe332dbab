from __future__ import annotations

from tests.attacks_on_histories.kit import HistoryCode, HistoryLie, Life


def tell(life: Life) -> None:
    new, collected, froze, attached, *rest = life.entries
    life.resign([new, collected, attached, froze, *rest])


LIE = HistoryLie(frozenset({HistoryCode.OUTCOME_BEFORE_FREEZE}), tell=tell)
