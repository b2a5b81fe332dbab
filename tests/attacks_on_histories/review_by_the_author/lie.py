from __future__ import annotations

from tests.attacks_on_histories.kit import HistoryCode, HistoryLie, Life, reviewed_by, with_review


def tell(life: Life) -> None:
    with_review(life, reviewed_by(life, life.author))


LIE = HistoryLie(frozenset({HistoryCode.REVIEW_BY_AUTHOR}), tell=tell, begin="frozen")
