from __future__ import annotations

from tests.attacks_on_histories.kit import HistoryCode, HistoryLie, Life, reviewed_by, with_review


def tell(life: Life) -> None:
    with_review(life, reviewed_by(life, life.reviewer, definition_digest=life.entries[0].previous))


LIE = HistoryLie(frozenset({HistoryCode.REVIEW_OF_OTHER_DEFINITION}), tell=tell, begin="frozen")
