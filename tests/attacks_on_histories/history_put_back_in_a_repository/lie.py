from __future__ import annotations

from tests.attacks_on_histories.history_put_back_with_its_cohort.lie import tell
from tests.attacks_on_histories.kit import HistoryCode, HistoryLie

LIE = HistoryLie(frozenset({HistoryCode.GIT_REWRITTEN, HistoryCode.OUTCOME_DROPPED}), tell=tell, git=True)
