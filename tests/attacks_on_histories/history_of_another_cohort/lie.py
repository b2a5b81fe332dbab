from __future__ import annotations

from tests.attacks_on_histories.kit import HistoryCode, HistoryLie, Life
from tests.support.cohort_lives import begun


def tell(life: Life) -> None:
    other = begun(life.root / "other")
    life.history_file.write_bytes(other.history_file.read_bytes())
    life.lie(lambda value: value.update(id="sample/renamed"), recorded=True)
    for path in (life.where.folder / "reviews").iterdir():
        path.unlink()


LIE = HistoryLie(
    frozenset({HistoryCode.OTHER_COHORT, HistoryCode.STAGE_DRIFT, HistoryCode.DEFINITION_CHANGED, HistoryCode.COHORT_CHANGED}),
    tell=tell,
    begin="frozen",
)
