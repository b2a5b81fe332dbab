from __future__ import annotations

from tests.attacks_on_histories.kit import HistoryCode, HistoryLie, Life, detail_changed


def tell(life: Life) -> None:
    *before, last = life.entries
    life.rewrite([*before, detail_changed(last, negatives=())])


LIE = HistoryLie(frozenset({HistoryCode.SIGNATURE}), tell=tell)
