"""What the taxonomy says of cheats: each is graded here, classified, and counted by what its author says it must fail."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from tallystick.core.digest import Digest
from tallystick.core.errors import InputError
from tallystick.flows.harness.baselines import Baselines
from tallystick.records.base import UNSET
from tallystick.records.blobs import MissingBlobError
from tallystick.records.eval_run import FailureCategory
from tallystick.records.task import Cheat, Task
from tallystick.runner.grading import GradePasser, SandboxGrader
from tallystick.sandbox.drivers import SandboxName, open_sandbox, probe
from tallystick.scoring.clues import Attempted, clues_of_attempt
from tallystick.scoring.portable import Workspaces
from tallystick.scoring.taxonomy import classify
from tallystick.scoring.verdict import failing
from tallystick.suites.loaded import LoadedSuite, overlaid
from tallystick.suites.stdlib_names import STDLIB_NAMES

__all__ = ["CheatRow", "classify_cheats", "confusion"]


@dataclass(frozen=True, slots=True)
class CheatRow:
    """A cheat, the kinds of assertion that it must fail as its author states, and its category; None where it passes."""

    suite: str
    task_id: str
    name: str
    stated: tuple[str, ...]
    category: FailureCategory | None
    details: str


class _NoBlobs:
    def read(self, digest: Digest) -> bytes:
        raise MissingBlobError(digest, "a cheat's files, which its suite has")


def classify_cheats(
    suites: Sequence[LoadedSuite],
    *,
    sandbox: SandboxName = "bwrap",
    workers: int = 2,
    listener: Callable[[str], None] | None = None,
) -> tuple[CheatRow, ...]:
    """Grade every cheat of the suites in this machine's sandbox and classify what it fails.

    Raises:
        InputError: this machine cannot start the sandbox.
        GradeFailedError, SandboxError: a grader broke off.
    """
    problem = probe().problem if sandbox == "bwrap" else None
    if problem is not None:
        raise InputError(f"cheats cannot be graded here: {problem}")
    grader = SandboxGrader(open_sandbox(sandbox))
    baselines = Baselines(None, sandbox, grader)
    for suite in suites:  # first, so that no two workers make the same one
        for task in suite.tasks:
            baselines.of(suite, task)

    def classified(work: tuple[LoadedSuite, Cheat]) -> CheatRow:
        if listener is not None:
            listener(f"{work[1].task_id}: {work[1].name}")
        return _classify(*work, grader, baselines)

    with ThreadPoolExecutor(max_workers=workers, thread_name_prefix="cheats") as pool:
        return tuple(pool.map(classified, [(suite, cheat) for suite in suites for cheat in suite.cheats]))


def _classify(suite: LoadedSuite, cheat: Cheat, grader: GradePasser, baselines: Baselines) -> CheatRow:
    task = suite.task(cheat.task_id)
    final = overlaid(suite, task, cheat.overlay)
    done = grader.grade(suite, task, final, _NoBlobs())
    at = Workspaces(suite.tree(task.workspace), final, done.graded, 0, suite.blobs)
    failed = failing(task, done.grade, at)
    of = Attempted(
        task=task,
        at=at,
        grade=done.grade,
        failed=failed,
        baseline=baselines.of(suite, task),
        reference=None if task.solution is UNSET else overlaid(suite, task, task.solution),
        outputs=done.outputs,
        library=STDLIB_NAMES,
    )
    failure = classify(clues_of_attempt(of)) if failed else None
    return CheatRow(
        suite=suite.version,
        task_id=task.id,
        name=cheat.name,
        stated=_kinds(task, cheat),
        category=None if failure is None else failure.category,
        details="it passes" if failure is None else failure.details,
    )


def _kinds(task: Task, cheat: Cheat) -> tuple[str, ...]:
    return tuple(sorted({str(check.__struct_config__.tag) for check in task.assertions if check.id in cheat.fails}))


def confusion(rows: Sequence[CheatRow]) -> Mapping[str, Mapping[FailureCategory | None, int]]:
    """How many cheats of each stated kind of assertion fall into each category; a cheat counts once for each of its kinds."""
    table: dict[str, Counter[FailureCategory | None]] = {}
    for kind, category in sorted(_cells(rows), key=lambda cell: cell[0]):
        table.setdefault(kind, Counter())[category] += 1
    return table


def _cells(rows: Sequence[CheatRow]) -> Iterator[tuple[str, FailureCategory | None]]:
    for row in rows:
        for kind in row.stated:
            yield kind, row.category
