from __future__ import annotations

from typing import Any

from tallystick.records.cohort_history import Burn
from tests.attacks_on_histories.kit import HistoryCode, HistoryLie, Life, act


def _change(value: dict[str, Any]) -> None:
    value["stage"] = "burned"
    task = value["tasks"][0]
    made_up = [one for one in task["evidence"]["attempts"] if one["outcome"] == "support"] * 5
    value.setdefault("extensions", {})["tallystick"] = {"excluded_attempts": {task["id"]: made_up}}


def tell(life: Life) -> None:
    act(life, Burn(says="everybody has seen them"), _change)


LIE = HistoryLie(frozenset({HistoryCode.EXCLUSION_NOT_RECORDED}), tell=tell)
