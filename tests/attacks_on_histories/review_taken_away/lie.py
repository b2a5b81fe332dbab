from __future__ import annotations

from tests.attacks_on_histories.kit import HistoryCode, HistoryLie, Life


def tell(life: Life) -> None:
    for path in (life.where.folder / "reviews").iterdir():
        path.unlink()


LIE = HistoryLie(frozenset({HistoryCode.REVIEW_MISSING}), tell=tell, begin="frozen")
