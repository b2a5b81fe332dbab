from __future__ import annotations

from tests.attacks_on_histories.kit import HistoryCode, HistoryLie, Life


def tell(life: Life) -> None:
    life.resign(life.entries[1:])


LIE = HistoryLie(frozenset({HistoryCode.NO_BEGINNING}), tell=tell)
