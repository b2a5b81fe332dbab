from __future__ import annotations

from tests.attacks_on_histories.kit import LIAR, HistoryCode, HistoryLie, Life
from tests.support.cohort_lives import signed


def tell(life: Life) -> None:
    entries = life.entries
    entries[1] = signed(entries[1], LIAR)
    life.rewrite(entries)


LIE = HistoryLie(frozenset({HistoryCode.NOT_THE_AUTHOR}), tell=tell, begin="collecting")
