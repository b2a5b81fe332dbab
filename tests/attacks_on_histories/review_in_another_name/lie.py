from __future__ import annotations

from tests.attacks_on_histories.kit import HistoryCode, HistoryLie, Life, reviewed_by, with_review


def tell(life: Life) -> None:
    other = life.reviewer.public
    with_review(life, reviewed_by(life, life.author, reviewer_jwk=other.jwk, kid=other.kid))


LIE = HistoryLie(frozenset({HistoryCode.SIGNATURE}), tell=tell, begin="frozen")
