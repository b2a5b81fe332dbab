from __future__ import annotations

from tests.attacks_on_histories.kit import HistoryCode, HistoryLie, Life, changed


def tell(life: Life) -> None:
    *before, last = life.entries
    life.resign([*before, changed(last, outcomes_seen=False)])


LIE = HistoryLie(frozenset({HistoryCode.OUTCOMES_DENIED}), tell=tell)
