"""From a cohort to the suite that its tasks are graded by: found below the root, and held against what the cohort froze.

A public task is the one whose hash its plan names; a hidden one the one whose hash stands in the opening of its commitment,
which lies in the private folder, or, once it is revealed, where the cohort says. A suite counts for nothing by its name or
place.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tallystick.core import limits, pyjson
from tallystick.core.digest import Digest
from tallystick.core.errors import InputError
from tallystick.core.pyjson import Json
from tallystick.flows.cohort.from_suite_folders import SUITE, private_folder
from tallystick.flows.cohort.hidden import opening_in, read_opening
from tallystick.flows.cohort.opening import Where
from tallystick.records.cohort.checking import check
from tallystick.records.cohort.cohort import Cohort, CohortTask
from tallystick.records.cohort.evaluator_plan import EvaluatorPlan, parse_evaluator_plan
from tallystick.records.cohort.opening import Opening
from tallystick.records.cohort.schemas import DocumentKind
from tallystick.records.cohort.vocabulary import EvaluatorVisibility
from tallystick.suites.cohorts.files import Files, check_path, open_files
from tallystick.suites.cohorts.hidden import hidden_tasks, reveals_of
from tallystick.suites.loaded import LoadedSuite
from tallystick.suites.loading import load_suite

__all__ = ["CohortSuite", "cohort_suite", "is_hidden", "no_suite"]

_OPENINGS = "*.opening.json"


@dataclass(frozen=True, slots=True)
class CohortSuite:
    """A suite, the path that --suite names it by, and the task of the cohort that each of its tasks is, by its id.

    `missing` are tasks of the cohort that this suite has not: hidden ones without their opening, or of another origin.
    """

    suite: LoadedSuite
    path: Path
    tasks: Mapping[str, CohortTask]
    missing: tuple[str, ...]


def is_hidden(task: CohortTask, cohort: Cohort) -> bool:
    """Whether the evaluator of a task is hidden and was not revealed."""
    return task.evaluator.visibility is EvaluatorVisibility.HIDDEN and task.id not in reveals_of(cohort)


def no_suite(where: Where, cohort: Cohort) -> str | None:
    """What to know of a cohort that names no suite; None where it names one, or its private suite is here."""
    if _named(cohort) is not None or (private_folder(where.folder) / SUITE).is_dir():
        return None
    return (
        "this cohort names no suite: tally run, negatives and attach will refuse it, and its evidence has to come from other "
        "tools; tally cohort from-suite makes one that they take"
    )


def cohort_suite(where: Where, cohort: Cohort) -> CohortSuite:
    """The suite of a cohort: the private one where it is here, else the one that is published with it.

    Raises:
        InputError: there is none, it is not the one that the cohort names, or it holds a task that the cohort does not have.
    """
    path, suite = _suite(where, cohort)
    by_hash = {task.task_hash: task for task in suite.tasks}
    found: dict[str, CohortTask] = {}
    missing = []
    with open_files(where.root, compat=False) as files:
        openings = _openings(private_folder(where.folder), cohort)
        for each in cohort.tasks:
            plan = _plan(files, cohort, each, openings)
            task = None if plan is None or plan.tallystick is None else by_hash.get(plan.tallystick.task_hash)
            if task is None:
                missing.append(each.id)
            else:
                found[task.id] = each
    extra = [task.id for task in suite.tasks if task.id not in found]
    if extra:
        raise InputError(
            f"{path}: its task {extra[0]} is none of the cohort {cohort.id}; the suite is not the one it was made from"
        )
    return CohortSuite(suite, path, found, tuple(missing))


def _suite(where: Where, cohort: Cohort) -> tuple[Path, LoadedSuite]:
    private = private_folder(where.folder) / SUITE
    if private.is_dir():
        return private, load_suite(private)
    named = _named(cohort)
    if named is None:
        raise InputError(
            f"the cohort {cohort.id} names no suite, and {private} is not there; tally can run what from-suite made"
        )
    path, suite_hash = named
    check_path(path, "the cohort's suite")
    suite = load_suite(where.root / path)
    if suite.suite_hash != suite_hash:
        raise InputError(f"{path}: this suite has the hash {suite.suite_hash}, the cohort was made from {suite_hash}")
    return where.root / path, suite


def _named(cohort: Cohort) -> tuple[str, Json] | None:
    """Path and hash of the suite that a cohort names; None where it names none."""
    named = cohort.ours.get("suite")
    path = named.get("path") if isinstance(named, dict) else None
    return (path, named.get("suite_hash")) if isinstance(named, dict) and isinstance(path, str) else None


def _plan(files: Files, cohort: Cohort, task: CohortTask, openings: Mapping[Digest, Opening]) -> EvaluatorPlan | None:
    """The plan of a task with the digest that the cohort froze; None where it cannot be had or is not of our version."""
    label = f"{task.id} EvaluatorPlan"
    if task.evaluator.plan_path is not None:
        value = pyjson.read(files.read(task.evaluator.plan_path, label), strict=True)
        return _checked(value, pyjson.digest(value), task)
    revealed = reveals_of(cohort).get(task.id)
    if revealed is not None:
        opening = opening_in(files.read(revealed.path, label), revealed.path)
        if opening.commitment == task.evaluator.plan_digest:
            return _checked(opening.plan, opening.commitment, task)
    kept = openings.get(Digest(task.evaluator.plan_digest))
    return None if kept is None else _checked(kept.plan, kept.commitment, task)


def _checked(plan: Json, digest: str, task: CohortTask) -> EvaluatorPlan | None:
    if digest != task.evaluator.plan_digest:
        raise InputError(f"{task.id} EvaluatorPlan: it is not the one that the cohort froze")
    return None if check(DocumentKind.OWN_PLAN, plan, strict=True) else parse_evaluator_plan(plan)


def _openings(folder: Path, cohort: Cohort) -> dict[Digest, Opening]:
    """What the private folder of a cohort holds that opens a commitment of it, by the commitment.

    Raises:
        InputError: there is more than anybody needs, or an opening that is none.
    """
    wanted = {task.evaluator.plan_digest for task in hidden_tasks(cohort).values()}
    paths = list(itertools.islice(folder.glob(_OPENINGS), limits.COHORT_OPENINGS + 1))
    if len(paths) > limits.COHORT_OPENINGS:
        raise InputError(f"{folder} has more than {limits.COHORT_OPENINGS} files {_OPENINGS}; keep those of this cohort only")
    found = (read_opening(path) for path in sorted(paths))
    return {opening.commitment: opening for opening in found if opening.commitment in wanted}
