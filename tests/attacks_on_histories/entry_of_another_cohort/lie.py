from __future__ import annotations

from tests.attacks_on_histories.kit import HistoryCode, HistoryLie, Life, changed


def tell(life: Life) -> None:
    *before, last = life.entries
    life.resign([*before, changed(last, cohort_id="sample/other")])


LIE = HistoryLie(frozenset({HistoryCode.OTHER_COHORT}), tell=tell)
