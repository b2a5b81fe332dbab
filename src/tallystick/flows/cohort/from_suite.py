"""`tally cohort from-suite`: the tasks of a suite as a cohort, with everything that its readers need beside it.

    DIR/source.git/          a bare Git repository: one branch for each task, whose one commit holds the task's workspace
    DIR/suite/               the public tasks as a compiled suite, for --suite
    DIR/work-units/          a WorkUnit for each task
    DIR/evaluators/          the plans of public tasks
    DIR/cohort.json          the cohort, in the stage scaffold, with its history beside it
    DIR.private/             where a task is hidden: all tasks as a suite, and the opening {plan, salt} of each

Everything but salts follows from suite, options and names, so that two authors make the same files. What a hidden task is
graded by leaves DIR.private when it is revealed, and not before.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Final

from tallystick.core.digest import Digest
from tallystick.core.errors import InputError
from tallystick.core.pyjson import digest
from tallystick.flows.cohort.folder import COHORT
from tallystick.flows.cohort.from_suite_folders import (
    SUITE,
    FolderFiles,
    Ready,
    is_taken,
    private_folder,
    salt_for,
    taken_error,
    write_folders,
)
from tallystick.flows.cohort.opening import Where, plain_folder
from tallystick.flows.words import plural
from tallystick.records.cohort.cohort import FEWEST_TASKS, MOST_TASKS
from tallystick.records.cohort.opening import Opening
from tallystick.records.cohort.vocabulary import Difficulty, Family, Metric, Split
from tallystick.records.cohort_history import CohortEntry
from tallystick.records.task import Task
from tallystick.runner.gitseed import BareRepository, bare_repository
from tallystick.suites import authoring
from tallystick.suites.cohorts.from_tasks import CohortHead, Placed, Source, cohort_document, plan, work_unit
from tallystick.suites.cohorts.labels import difficulty_of, family_of, negative_of
from tallystick.suites.integrity import check_suite
from tallystick.suites.loaded import LoadedSuite
from tallystick.trust.signing import Signer

__all__ = ["FromSuite", "Made", "make_from_suite"]

_ID: Final = re.compile(r"[a-z0-9][a-z0-9._/-]{2,79}").fullmatch
"""Of a cohort: its tasks add a number and a name, their attempts another, and all stay below 128 characters."""
_NO_NAME: Final = re.compile(r"[^a-z0-9]+")
_NAME_CHARS: Final = 32


@dataclass(frozen=True, slots=True)
class FromSuite:
    """What is to become a cohort, and where. `out` lies below `root`, which paths in the documents are relative to.

    `tasks` are the ids of those that are taken (none: all), `hide` of those whose evaluator is hidden; `families` and
    `difficulties` overrule the tables of `suites.cohorts.labels` by task id.
    """

    suite: LoadedSuite
    out: Path
    root: Path
    id: str | None = None
    title: str | None = None
    repository: str | None = None
    tasks: tuple[str, ...] = ()
    hide: tuple[str, ...] = ()
    families: Mapping[str, Family] = field(default_factory=dict)
    difficulties: Mapping[str, Difficulty] = field(default_factory=dict)
    signatures: tuple[str, ...] = ("single-agent-v1",)
    metrics: tuple[Metric, ...] = (Metric.WALL_SECONDS, Metric.TOKENS)
    split: Split = Split.PILOT


@dataclass(frozen=True, slots=True)
class Made:
    """What was made: the cohort, the first entry of its history, and the private folder (None where nothing is hidden)."""

    where: Where
    entry: CohortEntry
    private: Path | None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Named:
    """A task with the names it has in the cohort."""

    task: Task
    stem: str
    id: str
    hidden: bool


def make_from_suite(request: FromSuite, signer: Signer) -> Made:
    """Write all of it, and begin its history with the act `new`.

    Raises:
        InputError: unknown tasks, names that no cohort can have, a place that is taken or outside the root.
        WriteError: the system refuses.
        MissingBlobError: the suite lacks contents.
    """
    folder, below = _place(request)
    where, private = Where(request.root, f"{below}/{COHORT}"), private_folder(folder) if request.hide else None
    plain_folder(where)
    cohort_id = _cohort_id(request, folder)
    named = _named(request, cohort_id)
    branches = {each.stem: request.suite.tree(each.task.workspace) for each in named}
    repository = bare_repository(branches, request.suite.blobs)
    public, whole = _suites(request, named, folder.name)
    placing = _Placing(request, below, repository, public or whole, cohort_id, private)
    placed = [_placed(placing, each) for each in named]
    head = _head(request, cohort_id, placed, None if public is None else (f"{below}/{SUITE}", public.suite_hash))
    cohort = cohort_document(head, [each.placed for each in placed])
    entry = write_folders(where, private, FolderFiles(repository, placed, public, whole), cohort, signer)
    return Made(where, entry, private, tuple(_notes(request, named)))


def _place(request: FromSuite) -> tuple[Path, str]:
    """The folder to make, and its path below the root as documents write it."""
    folder, root = Path(os.path.abspath(request.out)), Path(os.path.abspath(request.root))
    if not folder.is_relative_to(root) or folder == root:
        raise InputError(f"--out {request.out}: outside the root {root}; paths in a cohort are relative to it, see --root")
    below = PurePosixPath(folder.relative_to(root)).as_posix()
    if is_taken(folder):
        what = "a cohort" if os.path.lexists(folder / COHORT) else "something"
        raise InputError(f"{folder}: there is {what} already; name a new folder with --out")
    if not request.hide and is_taken(private_folder(folder)):
        raise taken_error(private_folder(folder))
    return folder, below


def _cohort_id(request: FromSuite, folder: Path) -> str:
    found = request.id or f"cohort/{_name(folder.name) or 'x'}"
    if _ID(found) is None:
        raise InputError(f"{found[:120]!r} is no id for a cohort: 3 to 80 of a-z, 0-9, . _ / -; give one with --id")
    return found


def _name(text: str) -> str:
    return _NO_NAME.sub("-", text.lower()).strip("-")[:_NAME_CHARS].strip("-")


def _named(request: FromSuite, cohort_id: str) -> list[_Named]:
    for option, names in (
        ("--task", request.tasks),
        ("--hide", request.hide),
        ("--family", request.families),
        ("--difficulty", request.difficulties),
    ):
        for name in names:
            _known(request, option, name)
    tasks = [task for task in request.suite.tasks if not request.tasks or task.id in request.tasks]
    if len(tasks) < FEWEST_TASKS:
        raise InputError(
            f"{plural(len(tasks), 'task')} of {request.suite.version}: a cohort is frozen with {FEWEST_TASKS} at least, and "
            "this one never could be; take more tasks, or another suite"
        )
    stems = [f"{number:03}-{_name(task.id) or 'task'}" for number, task in enumerate(tasks, 1)]
    return [
        _Named(task, stem, f"{cohort_id}/{stem}", hidden=task.id in request.hide)
        for task, stem in zip(tasks, stems, strict=True)
    ]


def _known(request: FromSuite, option: str, name: str) -> None:
    taken = request.tasks if request.tasks and option != "--task" else tuple(task.id for task in request.suite.tasks)
    if name not in taken:
        raise InputError(f"{option} {name[:80]}: no such task in this cohort; it has {', '.join(taken[:20])}")


def _suites(request: FromSuite, named: Sequence[_Named], name: str) -> tuple[LoadedSuite | None, LoadedSuite]:
    """(suite of the public tasks, None where there are none; suite of all of them)."""
    version = f"cohort-{_name(name) or 'x'}"
    whole = _part(request.suite, [each.task for each in named], version)
    public = [each.task for each in named if not each.hidden]
    if len(public) == len(named):
        return whole, whole
    return (_part(request.suite, public, version) if public else None), _part(
        request.suite, [each.task for each in named], f"{version}-private"
    )


def _part(suite: LoadedSuite, tasks: list[Task], version: str) -> LoadedSuite:
    proofs = suite.proofs.of({task.id for task in tasks})
    document = authoring.assemble(version, tasks, suite.trees, proofs)
    return LoadedSuite(document, suite.blobs, "reader", check_suite(document))


@dataclass(frozen=True, slots=True)
class _Placing:
    """What is the same for every task that gets its documents. `private`: None where none is hidden."""

    request: FromSuite
    below: str
    repository: BareRepository
    suite: LoadedSuite
    cohort_id: str
    private: Path | None


def _placed(at: _Placing, each: _Named) -> Ready:
    request, below, suite = at.request, at.below, at.suite
    task = each.task
    source = Source(request.repository or f"urn:tallystick:{at.cohort_id}", at.repository.revisions[each.stem])
    unit = work_unit(each.id, task, source, (suite.version, suite.suite_hash), hidden=each.hidden)
    made = plan(f"{each.id}/evaluator", unit, task)
    salt = salt_for(at.private, each.stem, made) if each.hidden and at.private is not None else None
    placed = Placed(
        id=each.id,
        task=task,
        source=source,
        unit=unit,
        unit_path=f"{below}/work-units/{each.stem}.json",
        plan=made,
        plan_path=None if each.hidden else f"{below}/evaluators/{each.stem}.json",
        commitment=digest(made) if salt is None else Opening(made, salt).commitment,
        cheat=negative_of(request.suite, task),
        family=request.families.get(task.id, family_of(task)),
        difficulty=request.difficulties.get(task.id, difficulty_of(task)),
    )
    return Ready(placed, each.stem, salt)


def _head(request: FromSuite, cohort_id: str, placed: Sequence[Ready], suite: tuple[str, Digest] | None) -> CohortHead:
    return CohortHead(
        id=cohort_id,
        title=request.title or f"{len(placed)} tasks of the suite {request.suite.version}",
        description="Made from a suite: each task is graded again, in a sandbox, by the task that its plan names.",
        split=request.split,
        signatures=request.signatures,
        metrics=request.metrics,
        minimum=min(MOST_TASKS, max(FEWEST_TASKS, len(placed))),
        suite=suite,
    )


def _notes(request: FromSuite, named: Sequence[_Named]) -> list[str]:
    notes = []
    if request.suite.origin == "packaged" and any(each.hidden for each in named):
        notes.append(f"{request.suite.version} comes with tally: whoever has it knows how its tasks are graded, hidden or not")
    return notes
