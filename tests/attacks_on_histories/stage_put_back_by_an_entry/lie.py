from __future__ import annotations

from tallystick.records.cohort.vocabulary import Stage
from tests.attacks_on_histories.kit import HistoryCode, HistoryLie, Life, changed


def tell(life: Life) -> None:
    *before, last = life.entries
    life.resign([*before, changed(last, stage=Stage.COLLECTING)])


LIE = HistoryLie(frozenset({HistoryCode.STAGE_BACKWARDS}), tell=tell)
