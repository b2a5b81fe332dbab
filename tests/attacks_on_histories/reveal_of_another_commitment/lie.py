from __future__ import annotations

from tallystick.core.digest import Digest
from tallystick.records.cohort_history import Reveal
from tests.attacks_on_histories.kit import HistoryCode, HistoryLie, Life, act


def tell(life: Life) -> None:
    first, other = (task["id"] for task in life.value["tasks"][:2])
    some = Digest(life.value["tasks"][1]["evaluator"]["plan_digest"])
    reveals = {first: {"digest": some, "path": f"cohort/{other}.json"}}
    shown = Reveal(task_id=first, commitment=some, opening=some)
    act(life, shown, lambda value: value.update(extensions={"tallystick": {"reveals": reveals}}))


LIE = HistoryLie(frozenset({HistoryCode.REVEAL_MISMATCH}), tell=tell, begin="hidden")
