from __future__ import annotations

from tests.attacks_on_histories.kit import HistoryCode, HistoryLie, Life


def tell(life: Life) -> None:
    life.history_file.write_bytes(b"")


LIE = HistoryLie(frozenset({HistoryCode.NO_BEGINNING}), tell=tell)
