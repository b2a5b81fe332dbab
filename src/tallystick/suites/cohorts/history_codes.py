"""What can be wrong with the history of a cohort: the codes that a report names, and what each means."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

__all__ = ["HISTORY_CODES", "HISTORY_STEPS", "HistoryCode", "HistoryFinding"]

HISTORY_STEPS: Final = {
    20: "history readable",
    21: "chain of entries",
    22: "signatures and author",
    23: "order of acts",
    24: "cohort as the history tells",
    25: "review",
    26: "Git history",
}
"""The steps of `validate --history`; they follow those of a snapshot."""


class HistoryCode(StrEnum):
    """A kind of finding of `validate --history`."""

    MISSING = "history-missing"
    MALFORMED = "history-malformed"
    CHAIN_BROKEN = "history-chain-broken"
    SIGNATURE = "history-signature"
    OTHER_COHORT = "history-of-other-cohort"
    NO_BEGINNING = "history-without-beginning"
    NOT_THE_AUTHOR = "history-not-the-author"
    AUTHOR_UNEXPECTED = "history-author-unexpected"
    ANCHOR_MISSING = "history-anchor-missing"
    ACT_OUT_OF_ORDER = "act-out-of-order"
    SUPERSEDED = "act-after-supersede"
    STAGE_BACKWARDS = "stage-backwards"
    STAGE_DRIFT = "stage-drift"
    DEFINITION_CHANGED = "definition-changed"
    REFROZEN = "refrozen"
    TARGET_LOWERED = "target-lowered"
    SUPERSEDES_DRIFT = "supersedes-drift"
    PENDING_DRIFT = "pending-drift"
    COHORT_CHANGED = "cohort-changed"
    TASK_DRIFT = "task-drift"
    OUTCOME_BEFORE_FREEZE = "outcome-before-freeze"
    OUTCOMES_DENIED = "outcomes-denied"
    OUTCOME_NOT_RECORDED = "outcome-not-recorded"
    OUTCOME_DROPPED = "outcome-dropped"
    ATTEMPT_TWICE = "attempt-twice"
    ATTACHED_TO_EXCLUDED = "attached-to-excluded"
    EXCLUSION_NOT_RECORDED = "exclusion-not-recorded"
    EXCLUSION_HIDES_OUTCOME = "exclusion-hides-outcome"
    NEGATIVE_DRIFT = "negative-drift"
    FROZEN_AFTER_EXPOSURE = "frozen-after-exposure"
    REVEALED_TWICE = "revealed-twice"
    REVEAL_NOT_RECORDED = "reveal-not-recorded"
    REVEAL_MISMATCH = "reveal-mismatch"
    REVIEW_MISSING = "review-missing"
    REVIEW_CHANGED = "review-changed"
    REVIEW_BY_AUTHOR = "review-by-author"
    REVIEW_OF_OTHER_DEFINITION = "review-of-other-definition"
    GIT_REWRITTEN = "git-history-rewritten"
    GIT_DELETED = "git-cohort-deleted"
    GIT_UNREADABLE = "git-version-unreadable"


HISTORY_CODES: Final[dict[HistoryCode, str]] = {
    HistoryCode.MISSING: "there is no history.jsonl beside the cohort",
    HistoryCode.MALFORMED: "a line of the history is no entry, or was cut off",
    HistoryCode.CHAIN_BROKEN: "an entry was edited, dropped, added or moved: it does not name the one before it",
    HistoryCode.SIGNATURE: "an entry, or a review, is not signed by the key it names",
    HistoryCode.OTHER_COHORT: "entries, or the cohort file, are of another cohort",
    HistoryCode.NO_BEGINNING: "the first entry is not new",
    HistoryCode.NOT_THE_AUTHOR: "somebody other than the author signed an act that is the author's",
    HistoryCode.AUTHOR_UNEXPECTED: "the author is not the one that --author names",
    HistoryCode.ANCHOR_MISSING: "the entry that --contains names is not there: the history was forked or cut",
    HistoryCode.ACT_OUT_OF_ORDER: "an act came in a stage in which it may not",
    HistoryCode.SUPERSEDED: "an act came after another cohort had taken the place of this one",
    HistoryCode.STAGE_BACKWARDS: "the stage went back",
    HistoryCode.STAGE_DRIFT: "the stage is not the one that the act leads to, or not the history's",
    HistoryCode.DEFINITION_CHANGED: "the definition changed without an act that may change it",
    HistoryCode.REFROZEN: "the definition changed after it was frozen",
    HistoryCode.TARGET_LOWERED: "minimum_final_tasks or required_families are less than when the cohort was made",
    HistoryCode.SUPERSEDES_DRIFT: "the cohort names another predecessor than its history",
    HistoryCode.PENDING_DRIFT: "an act under way does not continue the files that it lies over",
    HistoryCode.COHORT_CHANGED: "the cohort file is not the one that the last entry names",
    HistoryCode.TASK_DRIFT: "the tasks are not those that the history added",
    HistoryCode.OUTCOME_BEFORE_FREEZE: "an outcome was attached before the definition was frozen",
    HistoryCode.OUTCOMES_DENIED: "an entry says otherwise than its history whether outcomes were seen",
    HistoryCode.OUTCOME_NOT_RECORDED: "the cohort lists an attempt that no entry attached",
    HistoryCode.OUTCOME_DROPPED: "an attempt that was attached is not in the cohort any more",
    HistoryCode.ATTEMPT_TWICE: "an attempt, or its pair of documents, was attached twice",
    HistoryCode.ATTACHED_TO_EXCLUDED: "an attempt was attached to an excluded task",
    HistoryCode.EXCLUSION_NOT_RECORDED: "a task is excluded and no entry says so, or the other way round",
    HistoryCode.EXCLUSION_HIDES_OUTCOME: "an exclusion does not name the attempts that the task had",
    HistoryCode.NEGATIVE_DRIFT: "a seeded negative is not the one that an entry attached, or was attached twice",
    HistoryCode.FROZEN_AFTER_EXPOSURE: "frozen although a solution was known",
    HistoryCode.REVEALED_TWICE: "a hidden evaluator was revealed twice",
    HistoryCode.REVEAL_NOT_RECORDED: "an evaluator is revealed and no entry says so, or the other way round",
    HistoryCode.REVEAL_MISMATCH: "a reveal is of another file or commitment than its entry names",
    HistoryCode.REVIEW_MISSING: "the review that the freeze names is not in reviews/",
    HistoryCode.REVIEW_CHANGED: "a file in reviews/ is not the one that the freeze names, or is no review",
    HistoryCode.REVIEW_BY_AUTHOR: "the author reviewed the definition himself",
    HistoryCode.REVIEW_OF_OTHER_DEFINITION: "the review is of another definition or cohort",
    HistoryCode.GIT_REWRITTEN: "a commit of the cohort's repository holds history that the next one does not continue",
    HistoryCode.GIT_DELETED: "the cohort was removed after outcomes or a freeze, and came back",
    HistoryCode.GIT_UNREADABLE: "a commit holds a version of a frozen cohort that cannot be read",
}


@dataclass(frozen=True, slots=True)
class HistoryFinding:
    """One thing that is wrong; `task` where it is one task's."""

    code: HistoryCode
    step: int
    task: str | None
    message: str
