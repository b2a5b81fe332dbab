from __future__ import annotations

from tests.attacks_on_histories.kit import HistoryCode, HistoryLie, Life


def tell(life: Life) -> None:
    task = life.value["tasks"][0]
    other = {"digest": task["work_unit"]["digest"], "path": task["work_unit"]["path"]}
    life.lie(lambda value: value["extensions"]["tallystick"]["reveals"].update({task["id"]: other}))


LIE = HistoryLie(frozenset({HistoryCode.REVEAL_MISMATCH, HistoryCode.COHORT_CHANGED}), tell=tell, begin="revealed")
