from __future__ import annotations

from tests.attacks_on_histories.kit import HistoryCode, HistoryLie, Life, commit


def tell(life: Life) -> None:
    kept = life.cohort_file.read_bytes()
    life.cohort_file.write_text("{")
    commit(life.root)
    life.cohort_file.write_bytes(kept)


LIE = HistoryLie(frozenset({HistoryCode.GIT_UNREADABLE}), tell=tell, git=True)
