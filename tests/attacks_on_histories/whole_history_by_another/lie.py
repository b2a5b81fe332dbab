from __future__ import annotations

from tests.attacks_on_histories.kit import LIAR, Demands, HistoryCode, HistoryLie, Life


def tell(life: Life) -> None:
    life.resign(life.entries, LIAR)


def demands(life: Life) -> Demands:
    return Demands(author=life.author.public.kid)


LIE = HistoryLie(frozenset({HistoryCode.AUTHOR_UNEXPECTED}), tell=tell, demands=demands)
