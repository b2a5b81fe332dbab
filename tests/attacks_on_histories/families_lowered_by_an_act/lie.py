from __future__ import annotations

from tallystick.records.cohort_history import Add
from tests.attacks_on_histories.kit import HistoryCode, HistoryLie, Life, act


def tell(life: Life) -> None:
    task = life.value["tasks"][0]["id"]
    act(life, Add(tasks=(task,), replaced=(task,)), lambda value: value["required_families"].remove("refactor"))


LIE = HistoryLie(frozenset({HistoryCode.TARGET_LOWERED}), tell=tell, begin="scaffold")
