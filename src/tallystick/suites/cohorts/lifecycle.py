"""What may happen to a cohort, in which order: a pure state machine over the entries of its history.

    scaffold ──collect──> collecting ──freeze──> frozen ──burn──> burned

`follow` is the only way from one state to the next. Who writes an act and who checks a history call the same function, so that
nothing can be written that would not be believed. What an act needs beyond the order (the checklist of a freeze, the bytes of
evidence) is checked where the act is made; what of it lasts stands in the entry.
Specification: docs/spec/cohort-history.md.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, assert_never

from tallystick.core.digest import Digest
from tallystick.core.errors import InputError
from tallystick.records.base import UNSET
from tallystick.records.cohort.vocabulary import Stage
from tallystick.records.cohort_history import (
    Act,
    Add,
    Attach,
    AttemptRef,
    Burn,
    CohortEntry,
    Collect,
    Detail,
    Exclude,
    Expose,
    Freeze,
    New,
    Predecessor,
    Reveal,
    Supersede,
    act_of,
)
from tallystick.suites.cohorts.history_codes import HistoryCode

__all__ = ["BY_ANYBODY", "STAGES", "WHEN", "LifecycleError", "State", "follow", "outcomes_after", "stage_after"]

STAGES: Final = tuple(Stage)
"""In their order; a cohort never goes back."""

WHEN: Final[Mapping[Act, tuple[Stage, ...]]] = {
    "new": (),
    "add": (Stage.SCAFFOLD, Stage.COLLECTING),
    "collect": (Stage.SCAFFOLD,),
    "expose": STAGES,
    "freeze": (Stage.COLLECTING,),
    "attach": (Stage.FROZEN,),
    "exclude": (Stage.SCAFFOLD, Stage.COLLECTING, Stage.FROZEN),
    "reveal": (Stage.FROZEN, Stage.BURNED),
    "burn": (Stage.FROZEN,),
    "supersede": STAGES,
}
"""The stages in which an act may come. `new` comes first and only there."""

BY_ANYBODY: Final[frozenset[Act]] = frozenset({"expose", "attach"})
"""Acts that somebody other than the author may sign: who saw a leak, and who verified a bundle."""

_AFTER_SUPERSEDE: Final[frozenset[Act]] = frozenset({"expose", "exclude", "reveal", "burn"})
"""Acts that still tell something about a cohort whose place another one has taken."""


class LifecycleError(InputError):
    """An act that may not come now, by the code that a validator reports it under."""

    def __init__(self, code: HistoryCode, message: str, task: str | None = None) -> None:
        super().__init__(message)
        self.code, self.message, self.task = code, message, task


@dataclass(frozen=True, slots=True)
class State:
    """What a history comes to. `attempts` holds every one that was ever attached, those of excluded tasks included."""

    cohort_id: str
    author: str
    targets: New
    stage: Stage
    definition_digest: Digest
    cohort_digest: Digest
    tasks: frozenset[str]
    review: Digest | None = None
    attempts: tuple[AttemptRef, ...] = ()
    attempt_names: frozenset[tuple[str, str]] = frozenset()
    """(task, attempt id) of `attempts`; kept beside them, so that a history costs no more than its length."""
    attempt_pairs: frozenset[tuple[str, str]] = frozenset()
    """(ResultManifest, VerificationResult) of `attempts`, by their digests."""
    negatives: Mapping[str, str] = dataclasses.field(default_factory=dict)
    """Digests of the evidence of seeded negatives, by task."""
    excluded: Mapping[str, str] = dataclasses.field(default_factory=dict)
    """Reasons by task."""
    excluded_after_outcome: frozenset[str] = frozenset()
    exposed: tuple[str, ...] = ()
    """What was said of each exposure."""
    revealed: Mapping[str, Reveal] = dataclasses.field(default_factory=dict)
    outcomes_seen: bool = False
    successor: str | None = None

    @property
    def frozen(self) -> bool:
        """Whether the definition is fixed."""
        return self.stage in {Stage.FROZEN, Stage.BURNED}

    @property
    def held_out(self) -> bool:
        """Whether nobody has seen an outcome or published a solution, as far as the history tells."""
        return not self.outcomes_seen and not self.exposed

    @property
    def supersedes(self) -> Predecessor | None:
        """The cohort whose place this one takes."""
        return None if self.targets.supersedes is UNSET else self.targets.supersedes

    @property
    def counted_attempts(self) -> tuple[AttemptRef, ...]:
        """Attempts that the cohort itself still lists."""
        return tuple(one for one in self.attempts if one.task_id not in self.excluded)


_LEADS_TO: Final[Mapping[Act, Stage]] = {
    "new": Stage.SCAFFOLD,
    "collect": Stage.COLLECTING,
    "freeze": Stage.FROZEN,
    "burn": Stage.BURNED,
}


def stage_after(act: Act, stage: Stage) -> Stage:
    """The stage that an act leads to."""
    return _LEADS_TO.get(act, stage)


def outcomes_after(state: State | None, detail: Detail) -> bool:
    """Whether outcomes have been seen once this act is done."""
    seen = state is not None and state.outcomes_seen
    return seen or isinstance(detail, Burn) or (isinstance(detail, Attach) and bool(detail.attempts))


def follow(state: State | None, entry: CohortEntry) -> State:
    """The state after an entry; None is the state before the first one.

    Raises:
        LifecycleError: the entry may not come now, or does not say what follows from it.
    """
    if state is None:
        return _begin(entry)
    _check_place(state, entry)
    _check_definition(state, entry)
    _check_outcomes(outcomes_after(state, entry.detail), entry)
    return _after(state, entry)


def _begin(entry: CohortEntry) -> State:
    detail = entry.detail
    if not isinstance(detail, New):
        raise LifecycleError(HistoryCode.NO_BEGINNING, f"the history begins with {act_of(entry)}, not with new")
    _check_stage("new", Stage.SCAFFOLD, entry)
    _check_outcomes(outcomes_after(None, detail), entry)
    return State(
        cohort_id=entry.cohort_id,
        author=entry.kid,
        targets=detail,
        stage=entry.stage,
        definition_digest=entry.definition_digest,
        cohort_digest=entry.cohort_digest,
        tasks=_distinct(detail.tasks),
    )


def _check_place(state: State, entry: CohortEntry) -> None:
    """That this act may come now, from this signer."""
    act = act_of(entry)
    if entry.cohort_id != state.cohort_id:
        raise LifecycleError(
            HistoryCode.OTHER_COHORT,
            f"entry {entry.seq} is of the cohort {entry.cohort_id}, the first one of {state.cohort_id}",
        )
    if act not in BY_ANYBODY and entry.kid != state.author:
        raise LifecycleError(
            HistoryCode.NOT_THE_AUTHOR, f"{act} is signed by {entry.kid}, and only the author may: {state.author}"
        )
    if state.stage not in WHEN[act]:
        _refuse_act(state, act)
    if state.successor is not None and act not in _AFTER_SUPERSEDE:
        raise LifecycleError(HistoryCode.SUPERSEDED, f"{act} comes after {state.successor} has taken the place of the cohort")
    _check_stage(act, state.stage, entry)


def _refuse_act(state: State, act: Act) -> None:
    """Say why an act may not come in this stage, by what it would undo."""
    if act == "attach" and not state.frozen:
        code, why = HistoryCode.OUTCOME_BEFORE_FREEZE, f"outcomes are attached to a cohort that is {state.stage}, not frozen"
    elif act in {"add", "freeze"} and state.frozen:
        code, why = HistoryCode.REFROZEN, f"{act} would change a definition that is frozen; supersede the cohort instead"
    else:
        code, why = HistoryCode.ACT_OUT_OF_ORDER, f"{act} cannot come while the cohort is {state.stage}"
    raise LifecycleError(code, why)


def _check_stage(act: Act, before: Stage, entry: CohortEntry) -> None:
    expected = stage_after(act, before)
    if entry.stage == expected:
        return
    back = STAGES.index(entry.stage) < STAGES.index(before)
    code = HistoryCode.STAGE_BACKWARDS if back else HistoryCode.STAGE_DRIFT
    raise LifecycleError(code, f"entry {entry.seq} ({act}) leads to {expected} and says {entry.stage}")


def _check_definition(state: State, entry: CohortEntry) -> None:
    """Only adding a task changes the definition, and that is over once it is frozen; some acts change nothing at all."""
    act = act_of(entry)
    if act != "add" and entry.definition_digest != state.definition_digest:
        code = HistoryCode.REFROZEN if state.frozen else HistoryCode.DEFINITION_CHANGED
        raise LifecycleError(
            code, f"{act} changed the definition: {entry.definition_digest} where it was {state.definition_digest}"
        )
    if act in {"expose", "supersede"} and entry.cohort_digest != state.cohort_digest:
        raise LifecycleError(HistoryCode.COHORT_CHANGED, f"{act} changes nothing of the cohort, and its digest is another one")


def _check_outcomes(seen: bool, entry: CohortEntry) -> None:  # noqa: FBT001  # a fact, no switch
    if entry.outcomes_seen != seen:
        said = "denies" if seen else "claims"
        raise LifecycleError(HistoryCode.OUTCOMES_DENIED, f"entry {entry.seq} {said} that outcomes were seen")


def _after(state: State, entry: CohortEntry) -> State:
    moved = dataclasses.replace(
        state,
        stage=entry.stage,
        definition_digest=entry.definition_digest,
        cohort_digest=entry.cohort_digest,
        outcomes_seen=entry.outcomes_seen,
    )
    match entry.detail:
        case New():
            raise LifecycleError(HistoryCode.ACT_OUT_OF_ORDER, f"entry {entry.seq} makes the cohort anew")
        case Add() | Attach() | Exclude() | Reveal() as detail:
            return _of_tasks(moved, detail)
        case Collect() | Burn():
            return moved
        case Expose() | Freeze() | Supersede() as detail:
            return _of_whole(moved, detail)
        case _:
            assert_never(entry.detail)


def _of_tasks(state: State, detail: Add | Attach | Exclude | Reveal) -> State:
    match detail:
        case Add():
            return _added(state, detail)
        case Attach():
            return _attached(state, detail)
        case Exclude():
            return _excluded(state, detail)
        case Reveal():
            return _revealed(state, detail)
        case _:
            assert_never(detail)


def _of_whole(state: State, detail: Expose | Freeze | Supersede) -> State:
    match detail:
        case Expose():
            _check_known(state, () if detail.task_id is UNSET else (detail.task_id,))
            return dataclasses.replace(state, exposed=(*state.exposed, detail.says))
        case Freeze():
            if state.exposed:
                says = f"frozen although a solution is known: {state.exposed[0]}"
                raise LifecycleError(HistoryCode.FROZEN_AFTER_EXPOSURE, says)
            return dataclasses.replace(state, review=detail.review)
        case Supersede():
            if detail.successor == state.cohort_id:
                raise LifecycleError(HistoryCode.ACT_OUT_OF_ORDER, "a cohort cannot take its own place")
            return dataclasses.replace(state, successor=detail.successor)
        case _:
            assert_never(detail)


def _distinct(tasks: tuple[str, ...]) -> frozenset[str]:
    found = frozenset(tasks)
    if len(found) != len(tasks):
        raise LifecycleError(HistoryCode.TASK_DRIFT, "an entry names a task twice")
    return found


def _check_known(state: State, tasks: tuple[str, ...]) -> None:
    for task in tasks:
        if task not in state.tasks:
            raise LifecycleError(HistoryCode.TASK_DRIFT, "the cohort has no task of that name", task)


def _added(state: State, detail: Add) -> State:
    tasks = _distinct(detail.tasks)
    replaced = _distinct(detail.replaced)
    if not tasks or replaced != tasks & state.tasks:
        raise LifecycleError(HistoryCode.TASK_DRIFT, "the tasks that are called replaced are not those that were there before")
    for task in sorted(replaced & state.excluded.keys()):
        raise LifecycleError(HistoryCode.TASK_DRIFT, "an excluded task cannot come back under its name", task)
    return dataclasses.replace(state, tasks=state.tasks | tasks)


def _attached(state: State, detail: Attach) -> State:
    if not detail.attempts and not detail.negatives:
        raise LifecycleError(HistoryCode.ACT_OUT_OF_ORDER, "attach attaches nothing")
    _check_known(state, tuple(one.task_id for one in detail.attempts))
    _check_known(state, tuple(one.task_id for one in detail.negatives))
    names, pairs = set[tuple[str, str]](), set[tuple[str, str]]()
    for one in detail.attempts:
        name, pair = (one.task_id, one.attempt_id), (one.result_manifest, one.verification_result)
        if one.task_id in state.excluded:
            raise LifecycleError(HistoryCode.ATTACHED_TO_EXCLUDED, "an attempt is attached to an excluded task", one.task_id)
        if name in names or name in state.attempt_names or pair in pairs or pair in state.attempt_pairs:
            raise LifecycleError(HistoryCode.ATTEMPT_TWICE, f"the attempt {one.attempt_id!r} is attached twice", one.task_id)
        names.add(name)
        pairs.add(pair)
    return dataclasses.replace(
        state,
        attempts=(*state.attempts, *detail.attempts),
        attempt_names=state.attempt_names | names,
        attempt_pairs=state.attempt_pairs | pairs,
        negatives=_with_negatives(state, detail),
    )


def _with_negatives(state: State, detail: Attach) -> Mapping[str, str]:
    found = dict(state.negatives)
    for one in detail.negatives:
        if one.task_id in found:
            raise LifecycleError(HistoryCode.NEGATIVE_DRIFT, "a seeded negative is attached twice", one.task_id)
        found[one.task_id] = one.evidence
    return found


def _excluded(state: State, detail: Exclude) -> State:
    task = detail.task_id
    _check_known(state, (task,))
    if task in state.excluded:
        raise LifecycleError(HistoryCode.ACT_OUT_OF_ORDER, "the task is excluded already", task)
    had = tuple(one for one in state.attempts if one.task_id == task)
    if detail.attempts != had:
        raise LifecycleError(
            HistoryCode.EXCLUSION_HIDES_OUTCOME, f"excluding it names {len(detail.attempts)} of its {len(had)} attempts", task
        )
    late = {task} if state.outcomes_seen else set()
    return dataclasses.replace(
        state,
        excluded={**state.excluded, task: detail.says},
        excluded_after_outcome=state.excluded_after_outcome | late,
    )


def _revealed(state: State, detail: Reveal) -> State:
    _check_known(state, (detail.task_id,))
    if detail.task_id in state.revealed:
        raise LifecycleError(HistoryCode.REVEALED_TWICE, "its evaluator was revealed before", detail.task_id)
    return dataclasses.replace(state, revealed={**state.revealed, detail.task_id: detail})
