from __future__ import annotations

from tests.attacks_on_histories.kit import HistoryCode, HistoryLie, Life


def tell(life: Life) -> None:
    life.history_file.unlink()


LIE = HistoryLie(frozenset({HistoryCode.MISSING}), tell=tell)
