from __future__ import annotations

from typing import Any

from tallystick.core import pyjson
from tests.attacks_on_histories.kit import HistoryCode, HistoryLie, Life
from tests.support.cohort_hidden import hidden_sample


def tell(life: Life) -> None:
    plan = hidden_sample()[1].plan

    def publish(value: dict[str, Any]) -> None:
        evaluator = value["tasks"][0]["evaluator"]
        evaluator |= {"visibility": "public", "plan_digest": pyjson.digest(plan), "plan_path": "cohort/plan.json"}

    (life.root / "cohort/plan.json").write_bytes(pyjson.canonical(plan))
    life.lie(publish, recorded=True)


LIE = HistoryLie(frozenset({HistoryCode.REFROZEN, HistoryCode.COHORT_CHANGED}), tell=tell, begin="hidden")
