from __future__ import annotations

from tallystick.records.cohort_history import Expose
from tests.attacks_on_histories.kit import HistoryCode, HistoryLie, Life, changed


def tell(life: Life) -> None:
    new, collected, froze = life.entries
    leak = changed(collected, detail=Expose(says="the calibration script prints it"))
    life.resign([new, collected, leak, froze])


LIE = HistoryLie(frozenset({HistoryCode.FROZEN_AFTER_EXPOSURE}), tell=tell, begin="frozen")
