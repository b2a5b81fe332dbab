from __future__ import annotations

from tallystick.records.base import write
from tallystick.records.cohort_history import CohortPending
from tests.attacks_on_histories.kit import HistoryCode, HistoryLie, Life


def tell(life: Life) -> None:
    pending = CohortPending(cohort=life.cohort_file.read_text(), history=life.history_file.read_text())
    (life.where.folder / ".cohort-pending").write_bytes(write(pending))
    life.lie(lambda value: value["tasks"][0]["evidence"]["attempts"].pop())


LIE = HistoryLie(frozenset({HistoryCode.PENDING_DRIFT}), tell=tell)
