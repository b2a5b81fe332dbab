from __future__ import annotations

import msgspec

from tallystick.records.cohort_history import Attach
from tests.attacks_on_histories.kit import HistoryCode, HistoryLie, Life


def tell(life: Life) -> None:
    entries = life.entries
    first, second = (entry.detail for entry in entries[-2:])
    assert isinstance(first, Attach)
    assert isinstance(second, Attach)
    again = msgspec.structs.replace(second, negatives=(*second.negatives, *first.negatives))
    life.resign([*entries[:-1], msgspec.structs.replace(entries[-1], detail=again)])


LIE = HistoryLie(frozenset({HistoryCode.NEGATIVE_DRIFT}), tell=tell)
