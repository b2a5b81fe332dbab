"""`tally run cohort:DIR`: the tasks of a frozen cohort, and of no other.

1 its history holds, and it is frozen;
2 it validates, strictly, so that its definition is the one that was frozen and its documents are those it names;
3 its suite holds the task that each of its plans names by hash, and no other.

Excluded tasks are left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tallystick.core.errors import InputError
from tallystick.flows.cohort.belonging import files_of
from tallystick.flows.cohort.opening import Where, check_valid, look
from tallystick.flows.cohort.suites import cohort_suite
from tallystick.records.cohort.cohort import parse_cohort
from tallystick.records.cohort.vocabulary import TaskStatus
from tallystick.suites.loaded import LoadedSuite

__all__ = ["CohortRun", "suite_to_run"]


@dataclass(frozen=True, slots=True)
class CohortRun:
    """What is to be run. `tasks` are ids of the suite, empty where they are all of it; `path` is what --suite names it by.

    `sources` are the files of the cohort.
    """

    suite: LoadedSuite
    path: Path
    tasks: tuple[str, ...]
    sources: tuple[Path, ...]


def suite_to_run(where: Where, only: tuple[str, ...] = ()) -> CohortRun:
    """The suite and tasks of a frozen cohort (see the head of this file); `only` names some by their id in the suite.

    Raises:
        InputError: a step that does not hold; nothing may be run then.
    """
    cohort = look(where)
    cohort.check_frozen("tally runs")
    check_valid(where, cohort.value)
    index = parse_cohort(cohort.value)
    found = cohort_suite(where, index)
    if found.missing:
        raise InputError(f"{found.path} lacks {len(found.missing)} tasks of the cohort, such as {found.missing[0]}")
    kept = tuple(name for name, task in found.tasks.items() if task.status is not TaskStatus.EXCLUDED)
    gone = next((name for name in only if name in found.tasks and name not in kept), None)
    if gone is not None or not kept:
        raise InputError(f"{where.path}: {gone or 'every task'} is excluded; there is nothing to run")
    tasks = only or (() if len(kept) == len(found.suite.tasks) else kept)
    return CohortRun(found.suite, found.path, tasks, tuple(files_of(where, index)))
