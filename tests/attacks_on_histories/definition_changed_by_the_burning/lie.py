from __future__ import annotations

from tests.attacks_on_histories.kit import HistoryCode, HistoryLie, Life, changed


def tell(life: Life) -> None:
    *before, last = life.entries
    life.resign([*before, changed(last, definition_digest=before[0].previous)])


LIE = HistoryLie(frozenset({HistoryCode.REFROZEN}), tell=tell, begin="burned")
