"""A cohort through the commits of a repository: what each version says, and what no version may do to the one before it.

Step 26 of `HISTORY_STEPS`. A version that is missing or cannot be read stands for the ones before it, so that deleting a file
makes nobody forget. A signed history has to be continued from commit to commit; without one, Git alone has to show the order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from tallystick.core import pyjson
from tallystick.core.digest import Digest, sha256, short
from tallystick.core.errors import InputError
from tallystick.records.cohort.checking import check
from tallystick.records.cohort.cohort import Cohort, parse_cohort
from tallystick.records.cohort.reading import Whole
from tallystick.records.cohort.schemas import DocumentKind
from tallystick.records.cohort.vocabulary import Family, Stage, TaskStatus
from tallystick.records.cohort_history import AttemptRef
from tallystick.suites.cohorts.chain import attempts_of
from tallystick.suites.cohorts.definition import definition_digest
from tallystick.suites.cohorts.history_codes import HistoryCode, HistoryFinding
from tallystick.suites.cohorts.lifecycle import STAGES, State

__all__ = ["Row", "Shown", "Version", "compare_versions"]

_PROBLEM: Final = 200
"""Characters of why a version says nothing."""


@dataclass(frozen=True, slots=True)
class Version:
    """Both files of a cohort at a commit, None where there is none. `commit` is empty for the files as they are now."""

    commit: str
    parents: tuple[str, ...]
    cohort: bytes | None
    history: bytes | None


@dataclass(frozen=True, slots=True)
class Shown:
    """What a report lists of a version."""

    stage: Stage
    recorded: str | None
    computed: Digest
    entries: int


@dataclass(frozen=True, slots=True)
class Row:
    """A version as a report lists it: what it says, or why it says nothing."""

    commit: str
    shown: Shown | None
    problem: str = ""


@dataclass(frozen=True, slots=True)
class _Facts:
    """What a version says that later ones are held to. `history` is its number of bytes and their digest."""

    commit: str
    shown: Shown
    minimum: Whole
    families: frozenset[Family]
    attempts: frozenset[AttemptRef]
    excluded: frozenset[str]
    history: tuple[int, Digest]

    @property
    def stage(self) -> Stage:
        return self.shown.stage

    @property
    def frozen(self) -> bool:
        """Whether the definition is fixed."""
        return self.stage in {Stage.FROZEN, Stage.BURNED}


def compare_versions(
    versions: Iterable[Version], uses: Mapping[str, int], state: State | None
) -> tuple[tuple[Row, ...], tuple[HistoryFinding, ...]]:
    """Look at versions, parents before their children.

    Args:
        versions: they may be read as they are asked for; none is kept.
        uses: how many versions name a commit among their parents: after the last one it is forgotten.
        state: what the signed history comes to, None where there is none that holds.
    """
    rows: list[Row] = []
    findings: list[HistoryFinding] = []
    known = _Known(Counter(uses))
    for version in versions:
        before = known.take(version.parents)
        facts, problem = _read(version)
        rows.append(Row(version.commit, None if facts is None else facts.shown, problem))
        known.put(version.commit, before if facts is None else (facts,))
        found = _lost(version, problem, before) if facts is None else _moved(facts, version.history or b"", before, state)
        findings.extend(HistoryFinding(code, 26, task, f"{_name(version.commit)}: {says}") for code, task, says in found)
    return tuple(rows), tuple(findings)


class _Known:
    """_Facts of commits whose children are still to come."""

    def __init__(self, uses: Counter[str]) -> None:
        self._uses = uses
        self._facts: dict[str, tuple[_Facts, ...]] = {}

    def take(self, parents: tuple[str, ...]) -> tuple[_Facts, ...]:
        found = dict.fromkeys(facts for parent in parents for facts in self._facts.get(parent, ()))
        for parent in parents:
            self._uses[parent] -= 1
            if self._uses[parent] <= 0:
                self._facts.pop(parent, None)
        return tuple(found)

    def put(self, commit: str, facts: tuple[_Facts, ...]) -> None:
        if self._uses[commit] > 0:
            self._facts[commit] = facts


def _name(commit: str) -> str:
    return f"commit {commit[:12]}" if commit else "the files as they are now"


def _read(version: Version) -> tuple[_Facts | None, str]:
    """The facts of a version; None, and why, where it has none."""
    if version.cohort is None:
        return None, "no cohort"
    try:
        value = pyjson.read(version.cohort, strict=False)
        if errors := check(DocumentKind.COHORT, value, strict=False):
            return None, f"no valid cohort: {errors[0].path}: {errors[0].message}"[:_PROBLEM]
        return _facts(version, parse_cohort(value)), ""
    except InputError as error:
        return None, f"no valid cohort: {error}"[:_PROBLEM]


def _facts(version: Version, cohort: Cohort) -> _Facts:
    history = version.history or b""
    shown = Shown(cohort.stage, cohort.definition_digest, definition_digest(cohort), history.count(b"\n"))
    return _Facts(
        commit=version.commit,
        shown=shown,
        minimum=cohort.minimum_final_tasks,
        families=frozenset(cohort.required_families),
        attempts=frozenset(one for task in cohort.tasks for one in attempts_of(task)),
        excluded=frozenset(task.id for task in cohort.tasks if task.status is TaskStatus.EXCLUDED),
        history=(len(history), sha256(history)),
    )


_Found = Iterator[tuple[HistoryCode, str | None, str]]


def _lost(version: Version, problem: str, before: tuple[_Facts, ...]) -> _Found:
    """A version that says nothing, after one whose definition is fixed."""
    if any(facts.frozen for facts in before):
        code = HistoryCode.GIT_DELETED if version.cohort is None else HistoryCode.GIT_UNREADABLE
        yield code, None, f"{problem}, where it was frozen before"


def _moved(now: _Facts, history: bytes, before: tuple[_Facts, ...], state: State | None) -> _Found:
    for was in before:
        yield from _stage(was, now)
        yield from _history(was, history)
        yield from _evidence(was, now, state)
    if now.attempts and not now.frozen:
        yield HistoryCode.OUTCOME_BEFORE_FREEZE, None, f"outcomes are attached while it is {now.stage}"
    elif now.attempts and state is None and not any(was.frozen for was in before):
        yield HistoryCode.OUTCOME_BEFORE_FREEZE, None, "the first version that is frozen holds outcomes already"


def _stage(was: _Facts, now: _Facts) -> _Found:
    if STAGES.index(now.stage) < STAGES.index(was.stage):
        yield HistoryCode.STAGE_BACKWARDS, None, f"{was.stage} in {_name(was.commit)}, {now.stage} after it"
    if was.frozen and (now.shown.computed != was.shown.computed or now.shown.recorded != was.shown.recorded):
        says = f"frozen at {_digest(was)} in {_name(was.commit)}, {_digest(now)} after it"
        yield HistoryCode.REFROZEN, None, says
    elif not was.frozen and (now.minimum < was.minimum or not now.families >= was.families):
        yield HistoryCode.TARGET_LOWERED, None, f"asks for less than {_name(was.commit)}"


def _digest(facts: _Facts) -> str:
    computed, recorded = facts.shown.computed, facts.shown.recorded
    return short(computed) if recorded in {None, computed} else f"{short(computed)} (recorded as {short(recorded or '')})"


def _history(was: _Facts, history: bytes) -> _Found:
    size, digest = was.history
    if sha256(history[:size]) != digest:
        yield (
            HistoryCode.GIT_REWRITTEN,
            None,
            f"its history does not continue the {was.shown.entries} entries of {_name(was.commit)}",
        )


def _evidence(was: _Facts, now: _Facts, state: State | None) -> _Found:
    recorded = frozenset() if state is None else state.excluded.keys()
    for one in sorted(was.attempts - now.attempts, key=lambda one: (one.task_id, one.attempt_id)):
        if one.task_id not in now.excluded:
            yield HistoryCode.OUTCOME_DROPPED, one.task_id, f"the attempt {one.attempt_id!r} of {_name(was.commit)} is gone"
        elif one.task_id not in recorded:
            says = f"excluded after the outcome of {one.attempt_id!r}, and no entry says so"
            yield HistoryCode.EXCLUSION_NOT_RECORDED, one.task_id, says
