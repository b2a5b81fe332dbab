from __future__ import annotations

import shutil

from tallystick.flows.cohort.acting import collect, freeze, make
from tests.attacks_on_histories.kit import HistoryCode, HistoryLie, Life
from tests.support.cohort_lives import bare


def tell(life: Life) -> None:
    shutil.rmtree(life.where.folder / "reviews")
    life.cohort_file.unlink()
    life.history_file.unlink()
    value = bare(life.source)
    value["tasks"][0]["difficulty"] = "large"
    make(life.where, value, life.author)
    collect(life.where, life.author)
    freeze(life.where, life.reviewed(), life.author)


LIE = HistoryLie(frozenset({HistoryCode.REFROZEN, HistoryCode.GIT_REWRITTEN}), tell=tell, begin="frozen", git=True)
