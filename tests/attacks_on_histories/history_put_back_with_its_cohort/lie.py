from __future__ import annotations

from tallystick.flows.cohort.opening import cohort_bytes
from tallystick.records.cohort_history import entry_digest
from tests.attacks_on_histories.kit import Demands, HistoryCode, HistoryLie, Life
from tests.support.cohort_lives import bare


def tell(life: Life) -> None:
    life.rewrite(life.entries[:3])
    value = {**bare(life.source, "frozen"), "definition_digest": life.value["definition_digest"]}
    life.cohort_file.write_bytes(cohort_bytes(value))


def demands(life: Life) -> Demands:
    return Demands(contains=entry_digest(life.entries[-1]))


LIE = HistoryLie(frozenset({HistoryCode.ANCHOR_MISSING}), tell=tell, demands=demands)
