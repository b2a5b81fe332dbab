from __future__ import annotations

from tallystick.records.cohort_history import Exclude
from tests.attacks_on_histories.kit import HistoryCode, HistoryLie, Life, changed


def tell(life: Life) -> None:
    entries = life.entries
    gone = Exclude(task_id=life.value["tasks"][0]["id"], says="flaky")
    life.resign([*entries, changed(entries[-1], detail=gone)])


LIE = HistoryLie(frozenset({HistoryCode.EXCLUSION_HIDES_OUTCOME}), tell=tell)
