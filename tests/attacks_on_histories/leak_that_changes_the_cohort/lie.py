from __future__ import annotations

from tallystick.records.cohort_history import Expose
from tests.attacks_on_histories.kit import HistoryCode, HistoryLie, Life, changed


def tell(life: Life) -> None:
    entries = life.entries
    leak = changed(entries[-1], detail=Expose(says="somebody saw it"), cohort_digest=entries[0].previous)
    life.resign([*entries, leak])


LIE = HistoryLie(frozenset({HistoryCode.COHORT_CHANGED}), tell=tell)
