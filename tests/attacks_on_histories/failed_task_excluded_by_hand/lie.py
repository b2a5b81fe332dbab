from __future__ import annotations

from tests.attacks_on_histories.kit import HistoryCode, HistoryLie, Life


def tell(life: Life) -> None:
    evidence = {"attempts": [], "exclusion_reason": "flaky", "status": "excluded"}
    life.lie(lambda value: value["tasks"][0].update(evidence=evidence))


LIE = HistoryLie(
    frozenset({HistoryCode.EXCLUSION_NOT_RECORDED, HistoryCode.OUTCOME_DROPPED, HistoryCode.COHORT_CHANGED}),
    tell=tell,
    begin="attached",
)
