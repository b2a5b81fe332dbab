from __future__ import annotations

from tallystick.flows.cohort.acting import exclude
from tests.attacks_on_histories.kit import HistoryCode, HistoryLie, Life


def tell(life: Life) -> None:
    exclude(life.where, life.value["tasks"][0]["id"], "its grader was wrong", life.author)
    life.lie(lambda value: value.pop("extensions"))


LIE = HistoryLie(frozenset({HistoryCode.EXCLUSION_HIDES_OUTCOME, HistoryCode.COHORT_CHANGED}), tell=tell)
