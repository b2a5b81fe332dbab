from __future__ import annotations

from tests.attacks_on_histories.kit import HistoryCode, HistoryLie, Life, reviewed_by


def tell(life: Life) -> None:
    for path in (life.where.folder / "reviews").iterdir():
        path.write_bytes(reviewed_by(life, life.reviewer, statement="looked at nothing"))


LIE = HistoryLie(frozenset({HistoryCode.REVIEW_CHANGED}), tell=tell, begin="frozen")
