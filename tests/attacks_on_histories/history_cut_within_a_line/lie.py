from __future__ import annotations

from tests.attacks_on_histories.kit import HistoryCode, HistoryLie, Life


def tell(life: Life) -> None:
    life.history_file.write_bytes(life.history_file.read_bytes()[:-20])


LIE = HistoryLie(frozenset({HistoryCode.MALFORMED}), tell=tell)
