from __future__ import annotations

from tests.attacks_on_histories.kit import HistoryCode, HistoryLie, Life


def tell(life: Life) -> None:
    life.lie(lambda value: value.update(stage="collecting") or value.pop("definition_digest"))


LIE = HistoryLie(
    frozenset({HistoryCode.STAGE_BACKWARDS, HistoryCode.REFROZEN, HistoryCode.COHORT_CHANGED}), tell=tell, begin="attached"
)
