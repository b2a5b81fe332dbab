from __future__ import annotations

from tallystick.core.digest import sha256
from tests.attacks_on_histories.kit import HistoryCode, HistoryLie, Life
from tests.support.cohort_hidden import hidden_sample


def tell(life: Life) -> None:
    name = "cohort/opening.json"
    data = hidden_sample()[1].to_bytes()
    (life.root / name).write_bytes(data)
    reveals = {life.value["tasks"][0]["id"]: {"digest": sha256(data), "path": name}}
    life.lie(lambda value: value.update(extensions={"tallystick": {"reveals": reveals}}))


LIE = HistoryLie(frozenset({HistoryCode.REVEAL_NOT_RECORDED, HistoryCode.COHORT_CHANGED}), tell=tell, begin="hidden")
