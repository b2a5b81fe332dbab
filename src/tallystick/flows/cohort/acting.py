"""The acts that change a cohort: each reads it whole, decides, and appends one signed entry to its history.

A cohort whose history does not hold is not acted on, and nothing is written that a strict reader would not accept where the act
is about documents. `attach` and `reveal` use `opening.opened` and `commit` in the same way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from tallystick.core.digest import sha256
from tallystick.core.errors import InputError, os_reason
from tallystick.core.pyjson import Json
from tallystick.flows.cohort.checklist import Line, lines_of
from tallystick.flows.cohort.folder import REVIEWS, review_name
from tallystick.flows.cohort.opening import OpenCohort, Where, check_valid, create, look, opened
from tallystick.flows.cohort.tasks import TaskRequest, task_of
from tallystick.records.base import UNSET, write
from tallystick.records.cohort.cohort import FEWEST_TASKS, MOST_TASKS, Cohort, parse_cohort
from tallystick.records.cohort.reading import EXTENSION, Node
from tallystick.records.cohort.vocabulary import Family, NegativeStatus, Stage, TaskStatus
from tallystick.records.cohort_history import (
    Add,
    Burn,
    CohortEntry,
    CohortReview,
    Collect,
    Exclude,
    Expose,
    Freeze,
    New,
    Predecessor,
    Supersede,
    payload,
)
from tallystick.suites.cohorts.definition import definition_digest
from tallystick.suites.cohorts.files import open_files
from tallystick.suites.cohorts.from_tasks import bare_cohort
from tallystick.trust.jws import COHORT_REVIEW_TYP
from tallystick.trust.signing import Signer

__all__ = [
    "NewRequest",
    "NotReadyError",
    "add_tasks",
    "burn",
    "collect",
    "exclude",
    "expose",
    "freeze",
    "make",
    "make_new",
    "review",
    "supersede",
]


class NotReadyError(InputError):
    """A cohort that the freeze checklist does not pass."""


@dataclass(frozen=True, slots=True)
class NewRequest:
    """A cohort to make. `supersedes` is the one whose place it takes."""

    cohort_id: str
    title: str
    minimum: int
    families: tuple[Family, ...]
    tasks: tuple[TaskRequest, ...]
    supersedes: Where | None = None


def make_new(where: Where, request: NewRequest, signer: Signer) -> CohortEntry:
    """Make a cohort with its first tasks; its folder is made too.

    Raises:
        InputError: there is one already, or its documents do not fit together.
    """
    if not FEWEST_TASKS <= request.minimum <= MOST_TASKS:
        raise InputError(
            f"--minimum {request.minimum}: the format demands from {FEWEST_TASKS} to {MOST_TASKS} tasks; give such a number"
        )
    with open_files(where.root, compat=False) as files:
        tasks = [task_of(files, each) for each in request.tasks]
    value = bare_cohort(request.cohort_id, request.title, request.minimum, request.families, tasks)
    before = None if request.supersedes is None else look(request.supersedes)
    return make(where, value, signer, before)


def make(where: Where, value: Node, signer: Signer, before: OpenCohort | None = None) -> CohortEntry:
    """Make a cohort of this value, a scaffold; `before` is the one whose place it takes.

    Raises:
        InputError: as `make_new`.
    """
    predecessor = None
    if before is not None:
        predecessor = Predecessor(id=before.state.cohort_id, definition_digest=before.state.definition_digest)
        named: Json = {"definition_digest": predecessor.definition_digest, "id": predecessor.id}
        value = {**value, "extensions": {EXTENSION: {"supersedes": named}}}
    check_valid(where, value)
    try:
        where.folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot make the folder {where.folder}: {os_reason(error)}") from None
    cohort = parse_cohort(value)
    detail = New(
        tasks=tuple(task.id for task in cohort.tasks),
        minimum_final_tasks=int(cohort.minimum_final_tasks),
        required_families=cohort.required_families,
        supersedes=UNSET if predecessor is None else predecessor,
    )
    return create(where, value, detail, signer)


def add_tasks(where: Where, requests: Sequence[TaskRequest], signer: Signer, *, replace: bool = False) -> CohortEntry:
    """Add tasks before the freeze; with `replace` they take the place of those with their ids.

    Raises:
        InputError: a task is there already, or does not fit to its documents.
    """
    with opened(where) as cohort, open_files(where.root, compat=False) as files:
        _check_not_frozen(cohort)
        added = {task["id"]: task for task in (task_of(files, each) for each in requests)}
        there = [task.id for task in cohort.cohort.tasks]
        twice = [name for name in there if name in added]
        if twice and not replace:
            raise InputError(f"the cohort has the task {twice[0]} already; --replace puts the new one in its place")
        kept = [added.get(task["id"], task) for task in cohort.value["tasks"]]
        value = {**cohort.value, "tasks": [*kept, *(task for name, task in added.items() if name not in there)]}
        check_valid(where, value)
        return cohort.commit(Add(tasks=tuple(added), replaced=tuple(twice)), value, signer)


def _check_not_frozen(cohort: OpenCohort) -> None:
    """Refuse an act that would change or fix a definition which is fixed.

    Raises:
        InputError: it is.
    """
    if cohort.state.frozen:
        burned = " and burned" if cohort.state.stage is Stage.BURNED else ""
        raise InputError(
            f"{cohort.where.path}: already frozen{burned}, and its definition never changes; "
            "tally cohort supersede makes a new one"
        )


def collect(where: Where, signer: Signer) -> CohortEntry:
    """Begin real task acquisition: every source is one commit from now on."""
    with opened(where) as cohort:
        value: Node = {**cohort.value, "stage": Stage.COLLECTING.value}
        check_valid(where, value)
        return cohort.commit(Collect(), value, signer)


def expose(where: Where, says: str, signer: Signer, task: str | None = None) -> CohortEntry:
    """Record that a solution is known to those who are measured. The cohort can never be frozen then."""
    with opened(where) as cohort:
        return cohort.commit(Expose(says=says, task_id=UNSET if task is None else task), cohort.value, signer)


def review(cohort: OpenCohort, statement: str, signer: Signer) -> bytes:
    """A signed statement that somebody other than the author has read the definition as it is now.

    Raises:
        InputError: the key is the author's.
    """
    if signer.public.kid == cohort.state.author:
        raise InputError("a review is made with another key than the author's; name yours with --key")
    unsigned = CohortReview(
        cohort_id=cohort.state.cohort_id,
        definition_digest=definition_digest(cohort.cohort),
        statement=statement,
        reviewer_jwk=signer.public.jwk,
        kid=signer.public.kid,
        signature="",
    )
    return write(msgspec.structs.replace(unsigned, signature=signer.sign(COHORT_REVIEW_TYP, payload(unsigned))))


def freeze(where: Where, reviewed: bytes, signer: Signer) -> CohortEntry:
    """Fix the definition, once every line of the checklist passes.

    Raises:
        NotReadyError: one does not.
    """
    with opened(where) as cohort:
        _check_not_frozen(cohort)
        failed = [line for line in lines_of(cohort, reviewed) if not line.passed]
        if failed:
            raise NotReadyError(_not_ready(failed))
        value: Node = {**cohort.value, "stage": Stage.FROZEN.value, "definition_digest": cohort.state.definition_digest}
        check_valid(where, value)
        digest = sha256(reviewed)
        cohort.keep(REVIEWS, review_name(digest), reviewed)
        return cohort.commit(Freeze(review=digest), value, signer)


def _not_ready(failed: Sequence[Line]) -> str:
    more = f" (and {len(failed) - 1} more lines of: tally cohort check)" if len(failed) > 1 else ""
    return f"not ready to freeze: {failed[0].title}: {failed[0].says}{more}"


def exclude(where: Where, task_id: str, says: str, signer: Signer) -> CohortEntry:
    """Take a task out of the evidence. It stays in the cohort; attempts it had stay in the history and in its extensions."""
    with opened(where) as cohort:
        if task_id not in cohort.state.tasks:
            raise InputError(f"the cohort has no task {task_id[:130]!r}")
        evidence: Node = {"attempts": [], "exclusion_reason": says, "status": TaskStatus.EXCLUDED.value}
        tasks = [{**one, "evidence": evidence} if one["id"] == task_id else one for one in cohort.value["tasks"]]
        value: Node = {**cohort.value, "tasks": tasks}
        had = next(one["evidence"]["attempts"] for one in cohort.value["tasks"] if one["id"] == task_id)
        if had:
            value["extensions"] = _with_excluded(cohort.cohort, task_id, had)
        told = tuple(one for one in cohort.state.attempts if one.task_id == task_id)
        return cohort.commit(Exclude(task_id=task_id, says=says, attempts=told), value, signer)


def _with_excluded(cohort: Cohort, task_id: str, attempts: list[Node]) -> Node:
    """The cohort's extensions with the attempts that a task had."""
    excluded = {**cohort.ours.get("excluded_attempts", {}), task_id: attempts}
    return {**cohort.extensions, EXTENSION: {**cohort.ours, "excluded_attempts": excluded}}


def burn(where: Where, says: str, signer: Signer) -> CohortEntry:
    """Record that final outcomes have been looked at: the cohort is held out no more."""
    with opened(where) as cohort:
        return cohort.commit(Burn(says=says), {**cohort.value, "stage": Stage.BURNED.value}, signer)


def supersede(where: Where, new: Where, cohort_id: str, signer: Signer, title: str | None = None) -> CohortEntry:
    """Make a cohort of another id that takes the place of this one; it begins with the tasks of which no outcome was seen.

    A hidden evaluator that was revealed is hidden no more: its task does not come along.

    The new cohort is made first. Where a kill came before the old one was marked, the same command does the rest.

    Raises:
        InputError: an outcome of every task was seen, or the new cohort cannot be made.
    """
    if new.folder.resolve() == where.folder.resolve():
        raise InputError(f"{new.path}: the cohort that takes the place of another one lies in a folder of its own")
    with opened(where) as cohort:
        if not _made_before(new, cohort, cohort_id):
            make(new, _successor(cohort, cohort_id, title), signer, cohort)
        return cohort.commit(Supersede(successor=cohort_id), cohort.value, signer)


def _made_before(new: Where, cohort: OpenCohort, cohort_id: str) -> bool:
    """Whether the successor stands there already, made for exactly this cohort."""
    if not new.folder.is_dir():
        return False
    try:
        there = look(new)
    except InputError:
        return False
    before = there.state.supersedes
    wanted = Predecessor(id=cohort.state.cohort_id, definition_digest=cohort.state.definition_digest)
    return there.state.cohort_id == cohort_id and before == wanted


def _successor(cohort: OpenCohort, cohort_id: str, title: str | None) -> Node:
    if cohort_id == cohort.state.cohort_id:
        raise InputError("a cohort that takes the place of another one has an id of its own")
    seen = {one.task_id for one in cohort.state.attempts} | cohort.state.excluded.keys() | cohort.state.revealed.keys()
    tasks = [_pending(task) for task in cohort.value["tasks"] if task["id"] not in seen]
    if not tasks:
        raise InputError(
            "an outcome of every task was seen, or it is excluded or revealed; "
            "begin with new ones: tally cohort new --supersedes"
        )
    dropped = ("definition_digest", "extensions", "description")
    value = {name: item for name, item in cohort.value.items() if name not in dropped}
    return {**value, "id": cohort_id, "title": title or cohort.cohort.title, "stage": Stage.SCAFFOLD.value, "tasks": tasks}


def _pending(task: Node) -> Node:
    kept = {name: task["negative_case"][name] for name in ("description", "expected_category")}
    return {
        **task,
        "evidence": {"attempts": [], "status": TaskStatus.PENDING.value},
        "negative_case": {**kept, "evidence_status": NegativeStatus.PENDING.value},
    }
