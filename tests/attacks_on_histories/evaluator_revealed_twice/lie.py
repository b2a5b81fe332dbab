from __future__ import annotations

from tallystick.records.cohort_history import Reveal
from tests.attacks_on_histories.kit import HistoryCode, HistoryLie, Life, changed


def tell(life: Life) -> None:
    entries = life.entries
    task, some = life.value["tasks"][0]["id"], entries[0].definition_digest
    shown = changed(entries[-1], detail=Reveal(task_id=task, commitment=some, opening=some))
    life.resign([*entries, shown, shown])


LIE = HistoryLie(frozenset({HistoryCode.REVEALED_TWICE}), tell=tell)
