from __future__ import annotations

from tallystick.records.cohort_history import Supersede
from tests.attacks_on_histories.kit import HistoryCode, HistoryLie, Life, changed


def tell(life: Life) -> None:
    *before, last = life.entries
    life.resign([*before, changed(before[-1], detail=Supersede(successor="sample/next")), last])


LIE = HistoryLie(frozenset({HistoryCode.SUPERSEDED}), tell=tell)
