from __future__ import annotations

from tests.attacks_on_histories.kit import HistoryCode, HistoryLie, Life


def tell(life: Life) -> None:
    new, collected, froze, *_ = life.entries
    life.resign([new, froze, collected])


LIE = HistoryLie(frozenset({HistoryCode.ACT_OUT_OF_ORDER}), tell=tell, begin="frozen")
