from __future__ import annotations

from typing import Any

from tests.attacks_on_histories.kit import HistoryCode, HistoryLie, Life


def tell(life: Life) -> None:
    def hide(value: dict[str, Any]) -> None:
        evaluator = value["tasks"][0]["evaluator"]
        evaluator.pop("plan_path")
        evaluator["visibility"] = "hidden"

    life.lie(hide, recorded=True)


LIE = HistoryLie(frozenset({HistoryCode.REFROZEN, HistoryCode.COHORT_CHANGED}), tell=tell, begin="frozen")
