from __future__ import annotations

from tallystick.flows.cohort.acting import burn
from tallystick.records.base import write
from tallystick.records.cohort_history import CohortPending
from tests.attacks_on_histories.kit import HistoryCode, HistoryLie, Life


def tell(life: Life) -> None:
    earlier = CohortPending(cohort=life.cohort_file.read_text(), history=life.history_file.read_text())
    burn(life.where, "everybody has seen them", life.author)
    (life.where.folder / ".cohort-pending").write_bytes(write(earlier))


LIE = HistoryLie(frozenset({HistoryCode.PENDING_DRIFT}), tell=tell)
