from __future__ import annotations

from typing import Any

from tallystick.records.cohort_history import Burn
from tests.attacks_on_histories.kit import HistoryCode, HistoryLie, Life, act


def _change(value: dict[str, Any]) -> None:
    value["stage"] = "burned"
    case = value["tasks"][0]["negative_case"]
    value["tasks"][0]["negative_case"] = {name: case[name] for name in ("description", "expected_category")}
    value["tasks"][0]["negative_case"]["evidence_status"] = "pending"


def tell(life: Life) -> None:
    act(life, Burn(says="everybody has seen them"), _change)


LIE = HistoryLie(frozenset({HistoryCode.NEGATIVE_DRIFT}), tell=tell)
