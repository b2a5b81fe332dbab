from __future__ import annotations

from tests.attacks_on_histories.kit import HistoryCode, HistoryLie, Life


def tell(life: Life) -> None:
    entries = life.entries
    life.rewrite([*entries[:3], entries[4], entries[3]])


LIE = HistoryLie(frozenset({HistoryCode.CHAIN_BROKEN}), tell=tell)
