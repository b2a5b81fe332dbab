from __future__ import annotations

from tests.attacks_on_histories.kit import HistoryCode, HistoryLie, Life, changed


def tell(life: Life) -> None:
    entries = life.entries
    life.resign([*entries, changed(entries[2], definition_digest=entries[0].previous)])


LIE = HistoryLie(frozenset({HistoryCode.REFROZEN}), tell=tell)
