from __future__ import annotations

from tallystick.records.cohort_history import Exclude
from tests.attacks_on_histories.kit import HistoryCode, HistoryLie, Life, changed


def tell(life: Life) -> None:
    *before, last = life.entries
    gone = Exclude(task_id=last.detail.attempts[0].task_id, says="not yet")  # type: ignore[union-attr]  # it attached something
    life.resign([*before, changed(before[-1], detail=gone), last])


LIE = HistoryLie(frozenset({HistoryCode.ATTACHED_TO_EXCLUDED}), tell=tell)
