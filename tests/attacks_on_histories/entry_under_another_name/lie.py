from __future__ import annotations

from tests.attacks_on_histories.kit import LIAR, HistoryCode, HistoryLie, Life, changed
from tests.support.cohort_lives import signed


def tell(life: Life) -> None:
    *before, last = life.entries
    life.rewrite([*before, changed(signed(last, LIAR), kid=life.author.public.kid)])


LIE = HistoryLie(frozenset({HistoryCode.SIGNATURE}), tell=tell, begin="collecting")
