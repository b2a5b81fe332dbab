from __future__ import annotations

import msgspec

from tests.attacks_on_histories.kit import HistoryCode, HistoryLie, Life, detail_changed


def tell(life: Life) -> None:
    *before, last = life.entries
    twice = before[-1].detail.attempts[0]  # type: ignore[union-attr]  # it attached something
    copy = msgspec.structs.replace(twice, attempt_id="another")
    life.resign([*before, detail_changed(last, attempts=(copy,))])


LIE = HistoryLie(frozenset({HistoryCode.ATTEMPT_TWICE}), tell=tell)
