from __future__ import annotations

from tests.attacks_on_histories.kit import HistoryCode, HistoryLie, Life


def tell(life: Life) -> None:
    entries = life.entries
    life.rewrite([*entries, entries[-1]])


LIE = HistoryLie(frozenset({HistoryCode.CHAIN_BROKEN}), tell=tell)
