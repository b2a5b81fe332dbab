"""Is a task fair, and does its check hold? Everything is tried three times, and everything that can be read is read.

| tried | must |
|---|---|
| `nop` | fail, three times |
| `oracle` | pass, three times |
| `cheat:NAME` | fail for its stated reason, three times |
| `partial:NAME` | get its stated score, three times |

and no check may change its mind between the repeats. What is wrong comes with what to change; advice stands apart.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Final

from tallystick.core.errors import InputError
from tallystick.core.exact import Num
from tallystick.flows.run import RunRequest, run
from tallystick.flows.task_leaks import find_history, find_leaks, find_weight
from tallystick.flows.task_words import needs
from tallystick.recording.passing import passing_folder
from tallystick.records.base import UnsetType
from tallystick.records.bundle import HarnessOutput
from tallystick.records.evidence import Grade
from tallystick.records.task import TIERS, Task
from tallystick.runner.adapters import Adapter, CheatAdapter, NopAdapter, OracleAdapter, PartialAdapter
from tallystick.sandbox.drivers import SandboxName
from tallystick.suites.fairness import Finding, find_gaps, find_unfair
from tallystick.suites.loaded import LoadedSuite
from tallystick.suites.loading import load_suite

__all__ = ["MENDS", "REPEATS", "TaskCheck", "TaskRow", "check_tasks", "load_tasks"]

REPEATS: Final = 3

MENDS: Final[Mapping[str, str]] = {
    "empty_instruction": "write below the head of task.md what the agent is to do",
    "answer_visible": "remove that file from workspace/, or what it gives away from it",
    "idle_passes": "add an assertion that the untouched workspace does not meet",
    "missing_script": "put the script into grader/, or name another one",
    "solution_not_allowed": "add the path to owned_files, or take the change out of solution/",
    "bad_cheat": "name an assertion of the task in the cheat's `fails`",
    "too_big": "leave out what the task does not need",
    "git_history": "remove it: the sandbox makes a .git without history by itself",
    "nop": "make an assertion fail where nothing is done",
    "oracle": "mend solution/, or the assertion that refuses it",
    "cheat": "mend the check that lets it through, or state in `fails` what it fails",
    "flaky": "make the check decide alike every time: no clock, no random number without a seed, no order of a set",
    "unsaid": "name it in the instruction, or do not insist on it",
    "perhaps_unsaid": "name it in the instruction where the check insists on it",
    "no_solution": "add a folder solution/",
    "few_cheats": "add cheats/NAME/ with a wrong solution, and its entry in task.md",
    "never_fails": "add a cheat that only this assertion catches, or drop the assertion",
    "unused_grader": "add an assertion of kind grader, or remove the folder",
    "heavy": "leave out what the task does not need",
    "network": "put what is needed into workspace/ or grader/",
}
"""What to change, by the code of a finding."""


@dataclass(frozen=True, slots=True)
class TaskRow:
    """One thing that was tried, and how many of its repeats came out as they must."""

    task_id: str
    tried: str
    good: int
    detail: str

    @property
    def ok(self) -> bool:
        """Whether every repeat did."""
        return self.good == REPEATS


@dataclass(frozen=True, slots=True)
class TaskCheck:
    """Everything that was found out. `wrong` and `advice` name the task, a code of `MENDS`, and what it is about."""

    tasks: tuple[str, ...]
    rows: tuple[TaskRow, ...]
    wrong: tuple[Finding, ...]
    advice: tuple[Finding, ...]

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return not self.wrong


def load_tasks(folder: str | Path, name: str | None) -> LoadedSuite | TaskCheck:
    """The suite, or what is wrong with it where parts of git keep it from being read.

    Raises:
        InputError: no suite, or no task of that name.
    """
    history = tuple(_history(Path(folder), name)) if Path(folder).is_dir() else ()
    if history:
        names = tuple(dict.fromkeys(finding.task_id for finding in history))
        return TaskCheck(names, (), history, ())
    suite = load_suite(folder)
    if name is not None:
        suite.task(name)
    return suite


def _history(folder: Path, name: str | None) -> Iterator[Finding]:
    for tier in TIERS:
        places = sorted((folder / tier).iterdir()) if (folder / tier).is_dir() else []
        for place in places:
            if place.is_dir() and name in (None, place.name):
                yield from (Finding(place.name, code, message) for code, message in find_history(place))


def check_tasks(
    suite: LoadedSuite,
    names: tuple[str, ...] = (),
    *,
    workers: int = 2,
    sandbox: SandboxName = "bwrap",
    listener: Callable[[str], None] | None = None,
) -> TaskCheck:
    """Check the tasks of these names, or all, in a temporary state folder.

    Raises:
        InputError: an unknown name.
        SandboxUnavailableError: this machine cannot start the sandbox.
    """
    tasks = tuple(suite.task(name) for name in names) if names else suite.tasks
    wanted = {task.id for task in tasks}
    wrong = [*find_unfair(suite), *(finding for task in tasks for finding in (*find_leaks(suite, task), *_unsaid(suite, task)))]
    advice = [
        *find_gaps(suite),
        *(finding for task in tasks for finding in (*_perhaps(suite, task), *find_weight(suite, task))),
    ]
    with passing_folder("check") as folder:
        trial = _Trial(suite, tasks, folder, workers, sandbox, listener)
        rows = tuple(trial.everything())
    wrong += [Finding(row.task_id, row.tried.partition(":")[0], f"{row.tried}: {row.detail}") for row in rows if not row.ok]
    wrong += trial.flaky
    order = [task.id for task in tasks]
    return TaskCheck(
        tuple(order),
        tuple(sorted(rows, key=lambda row: order.index(row.task_id))),
        tuple(sorted((each for each in wrong if each.task_id in wanted), key=lambda each: order.index(each.task_id))),
        tuple(sorted((each for each in advice if each.task_id in wanted), key=lambda each: order.index(each.task_id))),
    )


def _unsaid(suite: LoadedSuite, task: Task) -> Iterator[Finding]:
    for need in needs(suite, task):
        if need.sure:
            yield Finding(
                task.id, "unsaid", f"the hidden check needs {need.word!r} ({need.where}), the instruction never says it"
            )


def _perhaps(suite: LoadedSuite, task: Task) -> Iterator[Finding]:
    for need in needs(suite, task):
        if not need.sure:
            yield Finding(
                task.id,
                "perhaps_unsaid",
                f"the hidden check mentions {need.word!r} ({need.where}), the instruction never says it",
            )


@dataclass(frozen=True, slots=True)
class _Seen:
    """How one attempt came out."""

    output: HarnessOutput
    score: Num
    grade: Grade | None


class _Trial:
    """Runs adapters on the tasks, and remembers which checks changed their mind."""

    def __init__(
        self,
        suite: LoadedSuite,
        tasks: tuple[Task, ...],
        folder: Path,
        workers: int,
        sandbox: SandboxName,
        listener: Callable[[str], None] | None,
    ) -> None:
        self._suite, self._tasks, self._folder = suite, tasks, folder
        self._workers, self._sandbox, self._listener = workers, sandbox, listener
        self.flaky: list[Finding] = []

    def everything(self) -> Iterator[TaskRow]:
        """A row for each thing tried on each task."""
        every = tuple(task.id for task in self._tasks)
        solved = tuple(task.id for task in self._tasks if not isinstance(task.solution, UnsetType))
        yield from self._rows("nop", NopAdapter(), every, lambda _, seen: seen.output.outcome == "failed")
        yield from self._rows("oracle", OracleAdapter(), solved, lambda _, seen: seen.output.outcome == "passed")
        yield from (TaskRow(name, "oracle", 0, "there is no solution") for name in every if name not in solved)
        for name in sorted({cheat.name for cheat in self._suite.cheats if cheat.task_id in every}):
            fails = {cheat.task_id: sorted(cheat.fails) for cheat in self._suite.cheats if cheat.name == name}
            tasks = tuple(task_id for task_id in every if task_id in fails)
            yield from self._rows(f"cheat:{name}", CheatAdapter(name), tasks, _stated(fails))
        for name in sorted({partial.name for partial in self._suite.partials if partial.task_id in every}):
            scores = {partial.task_id: partial.score for partial in self._suite.partials if partial.name == name}
            tasks = tuple(task_id for task_id in every if task_id in scores)
            yield from self._rows(f"partial:{name}", PartialAdapter(name), tasks, _scored(scores))

    def _rows(
        self, tried: str, adapter: Adapter, tasks: tuple[str, ...], good: Callable[[str, _Seen], bool]
    ) -> Iterator[TaskRow]:
        if not tasks:
            return
        if self._listener is not None:
            self._listener(tried)
        for task_id, seen in self._run(adapter, tasks).items():
            count = sum(good(task_id, each) for each in seen)
            self.flaky += [Finding(task_id, "flaky", f"{tried}: {what}") for what in _changed(seen)]
            told = " / ".join(dict.fromkeys(_why(each.output) for each in seen))
            yield TaskRow(
                task_id, tried, count, told if count == REPEATS else f"{count} of {REPEATS} times as it must ({told})"
            )

    def _run(self, adapter: Adapter, tasks: tuple[str, ...]) -> dict[str, list[_Seen]]:
        request = RunRequest(
            suite=self._suite,
            adapter=adapter,
            state=self._folder,
            attempts=REPEATS,
            tasks=tasks,
            workers=self._workers,
            sandbox=self._sandbox,
            fresh=True,
        )
        done = run(request)
        if done.bundle is None or done.inputs is None:
            raise InputError("the check was stopped")
        grades = {(e.receipt.task_id, e.receipt.attempt.index): e.grade for e in done.inputs.evidence}
        found: dict[str, list[_Seen]] = {name: [] for name in tasks}
        for result in done.bundle.task_results:
            found[result.task_id].append(
                _Seen(result.harness_output, result.score, grades[result.task_id, result.attempt.index])
            )
        return found


def _stated(fails: Mapping[str, list[str]]) -> Callable[[str, _Seen], bool]:
    return lambda task_id, seen: seen.output.outcome == "failed" and sorted(seen.output.failed) == fails[task_id]


def _scored(scores: Mapping[str, Num]) -> Callable[[str, _Seen], bool]:
    return lambda task_id, seen: seen.output.outcome == "failed" and seen.score == scores[task_id]


def _why(output: HarnessOutput) -> str:
    if output.outcome == "passed":
        return "passed"
    if output.failed:
        return f"fails {', '.join(output.failed)}"
    return str(output.cause or output.limit or output.outcome)


def _changed(seen: Iterable[_Seen]) -> list[str]:
    """Checks and tests whose outcome differs between repeats on the same files."""
    ways = [_outcomes(each.grade) for each in seen]
    names = dict.fromkeys(name for way in ways for name in way)
    return [
        f"{name} came out as {', '.join(dict.fromkeys(way.get(name, 'nothing') for way in ways))} on the same files"
        for name in names
        if any(one.get(name) != other.get(name) for one, other in pairwise(ways))
    ]


def _outcomes(grade: Grade | None) -> dict[str, str]:
    if grade is None:
        return {}
    found: dict[str, str] = {}
    for result in grade.results:
        tests = () if isinstance(result.tests, UnsetType) else result.tests
        found |= {f"test {test.id} of {result.assertion}": test.outcome for test in tests}
        if not tests:
            found[f"assertion {result.assertion}"] = result.outcome
    return found
