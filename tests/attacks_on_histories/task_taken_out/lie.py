from __future__ import annotations

from tests.attacks_on_histories.kit import HistoryCode, HistoryLie, Life


def tell(life: Life) -> None:
    life.lie(lambda value: value["tasks"].pop())


LIE = HistoryLie(
    frozenset({HistoryCode.TASK_DRIFT, HistoryCode.DEFINITION_CHANGED, HistoryCode.COHORT_CHANGED}), tell=tell, begin="scaffold"
)
