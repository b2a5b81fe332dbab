from __future__ import annotations

from tests.attacks_on_histories.kit import HistoryCode, HistoryLie, Life


def tell(life: Life) -> None:
    named = {"definition_digest": life.value["definition_digest"], "id": "sample/before"}
    life.lie(lambda value: value.update(extensions={"tallystick": {"supersedes": named}}))


LIE = HistoryLie(frozenset({HistoryCode.SUPERSEDES_DRIFT, HistoryCode.COHORT_CHANGED}), tell=tell)
