"""Checks the history of a cohort from its bytes: the chain, the signatures, the order, and the cohort it must lead to.

Steps 20 to 25 of `HISTORY_STEPS`. Nothing is read here but what is handed in; a clock, a network and Git have no part in it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from tallystick.core import pyjson
from tallystick.core.digest import EMPTY, Digest, sha256
from tallystick.core.errors import InputError, TallyError
from tallystick.records.bundle import Jwk
from tallystick.records.cohort.cohort import Cohort, CohortTask
from tallystick.records.cohort.vocabulary import NegativeStatus, TaskStatus
from tallystick.records.cohort_history import (
    AttemptRef,
    CohortEntry,
    CohortReview,
    entry_digest,
    parse_entries,
    parse_review,
    payload,
)
from tallystick.suites.cohorts.definition import definition_digest
from tallystick.suites.cohorts.hidden import hidden_tasks, reveals_of
from tallystick.suites.cohorts.history_codes import HistoryCode, HistoryFinding
from tallystick.suites.cohorts.lifecycle import STAGES, LifecycleError, State, follow
from tallystick.trust import jws
from tallystick.trust.keys import PublicKey

__all__ = ["Chain", "Demands", "attempts_of", "check_cohort", "check_review", "read_chain", "review_problems"]


@dataclass(frozen=True, slots=True)
class Demands:
    """What a reader knows from elsewhere: the author's thumbprint, and the digest of an entry that must be there."""

    author: str | None = None
    contains: str | None = None


@dataclass(frozen=True, slots=True)
class Chain:
    """A history as far as it could be followed. `state` is None where not even its first entry stands."""

    entries: tuple[CohortEntry, ...]
    state: State | None
    findings: tuple[HistoryFinding, ...]

    @property
    def head(self) -> Digest:
        """What the next entry names as the one before it."""
        return entry_digest(self.entries[-1]) if self.entries else EMPTY


def read_chain(data: bytes, demands: Demands | None = None) -> Chain:
    """Read and follow a history. The first broken entry ends it: what comes after hangs on nothing."""
    entries: list[CohortEntry] = []
    findings: list[HistoryFinding] = []
    state, head, held = None, EMPTY, False
    demands = demands or Demands()
    try:
        for entry in parse_entries(data):
            _check_link(entry, len(entries), head)
            _check_signature(entry, entry.signer_jwk, jws.COHORT_ENTRY_TYP)
            state = follow(state, entry)
            entries.append(entry)
            head = entry_digest(entry)
            held = held or head == demands.contains
    except _ChainError as error:
        findings.append(HistoryFinding(error.code, error.step, None, str(error)))
    except LifecycleError as error:
        findings.append(HistoryFinding(error.code, 23, error.task, f"entry {len(entries)}: {error.message}"))
    except InputError as error:
        findings.append(HistoryFinding(HistoryCode.MALFORMED, 20, None, str(error)))
    if not entries and not findings:
        findings.append(HistoryFinding(HistoryCode.NO_BEGINNING, 20, None, "the history is empty"))
    findings.extend(_unmet(state, demands, held=held))
    return Chain(tuple(entries), state, tuple(findings))


class _ChainError(InputError):
    def __init__(self, code: HistoryCode, step: int, message: str) -> None:
        super().__init__(message)
        self.code, self.step = code, step


def _check_link(entry: CohortEntry, place: int, head: Digest) -> None:
    if entry.seq != place:
        raise _ChainError(
            HistoryCode.CHAIN_BROKEN, 21, f"entry {place} calls itself {entry.seq}: one was dropped, added or moved"
        )
    if entry.previous != head:
        raise _ChainError(
            HistoryCode.CHAIN_BROKEN, 21, f"entry {place} names {entry.previous} as the one before it, which is {head}"
        )


def _check_signature(document: CohortEntry | CohortReview, jwk: Jwk, typ: jws.Typ) -> None:
    """That the document is signed by the key in it, and calls that key by its own name."""
    what = f"entry {document.seq}" if isinstance(document, CohortEntry) else "the review"
    try:
        key = PublicKey.from_jwk(jwk)
        jws.verify(document.signature, payload(document), typ, key)
    except TallyError as error:
        raise _ChainError(HistoryCode.SIGNATURE, 22, f"{what}: {error}") from None
    if key.kid != document.kid:
        raise _ChainError(HistoryCode.SIGNATURE, 22, f"{what} calls the key {key.kid} {document.kid}")


def _unmet(state: State | None, demands: Demands, *, held: bool) -> Iterator[HistoryFinding]:
    if demands.author is not None and state is not None and state.author != demands.author:
        says = f"the author is {state.author}, and {demands.author} was expected"
        yield HistoryFinding(HistoryCode.AUTHOR_UNEXPECTED, 22, None, says)
    if demands.contains is not None and not held:
        says = f"no entry has the digest {demands.contains}: this is another history, or a part of it"
        yield HistoryFinding(HistoryCode.ANCHOR_MISSING, 21, None, says)


def check_cohort(state: State, cohort: Cohort) -> tuple[HistoryFinding, ...]:
    """Step 24: what a cohort that its schema accepts says, against what its history comes to."""
    return tuple(
        HistoryFinding(code, 24, task, says)
        for part in (_identity, _definition, _targets, _tasks, _attempts, _negatives, _exclusions, _reveals)
        for code, task, says in part(state, cohort)
    )


_Found = Iterator[tuple[HistoryCode, str | None, str]]


def _identity(state: State, cohort: Cohort) -> _Found:
    if cohort.id != state.cohort_id:
        yield HistoryCode.OTHER_COHORT, None, f"the cohort is {cohort.id}, its history is of {state.cohort_id}"
    if cohort.stage != state.stage:
        back = STAGES.index(cohort.stage) < STAGES.index(state.stage)
        code = HistoryCode.STAGE_BACKWARDS if back else HistoryCode.STAGE_DRIFT
        yield code, None, f"the cohort says {cohort.stage}, its history {state.stage}"
    found = pyjson.digest(cohort.value)
    if found != state.cohort_digest:
        yield HistoryCode.COHORT_CHANGED, None, f"the cohort's digest is {found}, the last entry names {state.cohort_digest}"

    told, named = state.supersedes, cohort.ours.get("supersedes")
    if named != (None if told is None else {"definition_digest": told.definition_digest, "id": told.id}):
        says = f"the cohort takes the place of {named or 'none'}, its history says {'none' if told is None else told.id}"
        yield HistoryCode.SUPERSEDES_DRIFT, None, says


def _definition(state: State, cohort: Cohort) -> _Found:
    code = HistoryCode.REFROZEN if state.frozen else HistoryCode.DEFINITION_CHANGED
    recorded, computed = cohort.definition_digest, definition_digest(cohort)
    if computed != state.definition_digest:
        yield code, None, f"the definition's digest is {computed}, the history has {state.definition_digest}"
    if state.frozen and recorded != state.definition_digest:
        yield code, None, f"the cohort records the definition {recorded}, the history {state.definition_digest}"


def _targets(state: State, cohort: Cohort) -> _Found:
    minimum = cohort.minimum_final_tasks
    if minimum < state.targets.minimum_final_tasks:
        yield HistoryCode.TARGET_LOWERED, None, f"minimum_final_tasks is {minimum}, was {state.targets.minimum_final_tasks}"
    lost = set(state.targets.required_families) - set(cohort.required_families)
    if lost:
        yield HistoryCode.TARGET_LOWERED, None, f"required no more: {', '.join(sorted(lost))}"


def _tasks(state: State, cohort: Cohort) -> _Found:
    found = {task.id for task in cohort.tasks}
    for task in sorted(found - state.tasks):
        yield HistoryCode.TASK_DRIFT, task, "no entry added it"
    for task in sorted(state.tasks - found):
        yield HistoryCode.TASK_DRIFT, task, "an entry added it, and the cohort has it no more"


def attempts_of(task: CohortTask) -> list[AttemptRef]:
    """The attempts that a task of a cohort lists, as the history names them."""
    return [
        AttemptRef(
            task_id=task.id,
            attempt_id=one.attempt_id,
            result_manifest=Digest(one.result_manifest.digest),
            verification_result=Digest(one.verification_result.digest),
        )
        for one in task.attempts
    ]


def _attempts(state: State, cohort: Cohort) -> _Found:
    counted = state.counted_attempts
    for task in cohort.tasks:
        name, found = task.id, Counter(attempts_of(task))
        told = Counter(one for one in counted if one.task_id == name)
        early = not state.frozen and bool(found)
        for one in found - told:
            code = HistoryCode.OUTCOME_BEFORE_FREEZE if early else HistoryCode.OUTCOME_NOT_RECORDED
            yield code, name, f"no entry attached the attempt {one.attempt_id!r}"
        for one in told - found:
            yield HistoryCode.OUTCOME_DROPPED, name, f"the attempt {one.attempt_id!r} was attached, and is gone or changed"


def _negatives(state: State, cohort: Cohort) -> _Found:
    found = {
        task.id: task.negative_case.evidence_digest
        for task in cohort.tasks
        if task.negative_case.evidence_status is NegativeStatus.VERIFIED
    }
    for task in sorted(found.keys() | state.negatives.keys()):
        if found.get(task) != state.negatives.get(task):
            shown, told = found.get(task) or "none", state.negatives.get(task) or "none"
            yield (
                HistoryCode.NEGATIVE_DRIFT,
                task,
                f"its seeded negative's evidence is {shown}, its history attached {told}",
            )


def _exclusions(state: State, cohort: Cohort) -> _Found:
    found = {task.id for task in cohort.tasks if task.status is TaskStatus.EXCLUDED}
    for task in sorted(found - state.excluded.keys()):
        yield HistoryCode.EXCLUSION_NOT_RECORDED, task, "it is excluded, and no entry says so"
    for task in sorted(state.excluded.keys() - found):
        yield HistoryCode.EXCLUSION_NOT_RECORDED, task, "an entry excluded it, and the cohort does not say so"
    for task in sorted(state.excluded):
        told = Counter(one for one in state.attempts if one.task_id == task)
        if told and _shown_as_excluded(cohort, task) != told:
            says = f"extensions.tallystick.excluded_attempts does not list its {told.total()} attempts"
            yield HistoryCode.EXCLUSION_HIDES_OUTCOME, task, says
    shown = cohort.ours.get("excluded_attempts")
    for task in sorted(shown.keys() - state.excluded.keys() if isinstance(shown, dict) else ()):
        yield HistoryCode.EXCLUSION_NOT_RECORDED, task, "its attempts are listed as those of an excluded task, which it is not"


def _reveals(state: State, cohort: Cohort) -> _Found:
    """What was revealed is what entries say, of the commitments that the definition holds."""
    shown, hidden = reveals_of(cohort), hidden_tasks(cohort)
    for task in sorted(shown.keys() - state.revealed.keys()):
        yield HistoryCode.REVEAL_NOT_RECORDED, task, "its evaluator is revealed, and no entry says so"
    for task, told in sorted(state.revealed.items()):
        reveal = shown.get(task)
        if task not in shown:
            yield HistoryCode.REVEAL_NOT_RECORDED, task, "an entry revealed its evaluator, and the cohort does not say so"
        elif reveal is None or reveal.digest != told.opening:
            says = f"the revealed file has the digest {reveal and reveal.digest}, its entry names {told.opening}"
            yield HistoryCode.REVEAL_MISMATCH, task, says
        if task not in hidden or hidden[task].evaluator.plan_digest != told.commitment:
            yield HistoryCode.REVEAL_MISMATCH, task, f"no hidden evaluator has the commitment {told.commitment} of its entry"


def _shown_as_excluded(cohort: Cohort, task: str) -> Counter[AttemptRef] | None:
    """The attempts of an excluded task that the cohort still shows; None where that part is not as we write it."""
    try:
        return Counter(
            AttemptRef(
                task_id=task,
                attempt_id=one["attempt_id"],
                result_manifest=one["result_manifest"]["digest"],
                verification_result=one["verification_result"]["digest"],
            )
            for one in cohort.ours["excluded_attempts"][task]
        )
    except (KeyError, TypeError):
        return None


def check_review(data: bytes | None, state: State) -> tuple[HistoryFinding, ...]:
    """Step 25: the bytes of the review that the freeze names, None where there is no such file."""
    if state.review is None:
        return ()
    if data is None:
        says = f"the freeze names the review {state.review}, and reviews/ does not have it"
        return (HistoryFinding(HistoryCode.REVIEW_MISSING, 25, None, says),)
    if sha256(data) != state.review:
        says = f"the freeze names the review {state.review}, its file is {sha256(data)}"
        return (HistoryFinding(HistoryCode.REVIEW_CHANGED, 25, None, says),)
    return review_problems(data, state.cohort_id, state.author, state.definition_digest)


def review_problems(data: bytes, cohort_id: str, author: str, definition: Digest) -> tuple[HistoryFinding, ...]:
    """What keeps a review from standing for this definition of this author."""
    try:
        review = parse_review(data)
        _check_signature(review, review.reviewer_jwk, jws.COHORT_REVIEW_TYP)
    except _ChainError as error:
        return (HistoryFinding(error.code, 25, None, str(error)),)
    except InputError as error:
        return (HistoryFinding(HistoryCode.REVIEW_CHANGED, 25, None, f"no review: {error}"),)
    found = []
    if (review.cohort_id, review.definition_digest) != (cohort_id, definition):
        says = f"the review is of {review.cohort_id} {review.definition_digest}; this is {cohort_id} {definition}"
        found.append(HistoryFinding(HistoryCode.REVIEW_OF_OTHER_DEFINITION, 25, None, says))
    if review.kid == author:
        says = f"the review is by the author's own key {author}"
        found.append(HistoryFinding(HistoryCode.REVIEW_BY_AUTHOR, 25, None, says))
    return tuple(found)
