from __future__ import annotations

from tests.attacks_on_histories.kit import HistoryCode, HistoryLie, Life


def tell(life: Life) -> None:
    life.lie(lambda value: value["tasks"].__setitem__(0, life.source.task(0)))


LIE = HistoryLie(
    frozenset({HistoryCode.NEGATIVE_DRIFT, HistoryCode.OUTCOME_BEFORE_FREEZE, HistoryCode.COHORT_CHANGED}),
    tell=tell,
    begin="collecting",
)
