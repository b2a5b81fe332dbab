"""The hidden tests of a task made from a repository: the grader that runs them, and which of them a solution must pass.

A test that imports the code under check cannot be kept apart from it, so such a task is graded `in_process`: the test files and
a small runner are laid over the submitted files in one sandbox. Which tests count is found by running them there, on the base
and on the solution.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec

from tallystick.core import c1
from tallystick.core.errors import InputError
from tallystick.flows.task_new import template
from tallystick.records.base import UnsetType
from tallystick.records.task import Task
from tallystick.records.tree import Tree, apply_overlay
from tallystick.runner.grading import task_limits
from tallystick.runner.interpreter import installed_packages
from tallystick.runner.workspace import filler
from tallystick.sandbox.spec import Outcome, Sandbox, Spec
from tallystick.suites.loaded import LoadedSuite, overlaid

__all__ = ["FOLDER", "TIMES", "Chosen", "NoHiddenTestError", "choose", "write_grader"]

FOLDER: Final = "tally_hidden"
"""Where the runner lies in the grader tree; a repository with a folder of this name is refused."""
TIMES: Final = 3
"""How often each file is run on base and solution: a test that changes its mind is left out."""
WALL_MS: Final = 110_000
MOST_TESTS: Final = 900
"""Tests of one grader script: it may report a thousand."""

Plan = dict[str, dict[str, str]]
"""{test file: {name of a test: the id it is reported under}}."""


class NoHiddenTestError(InputError):
    """No test tells the fix from the base."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """`fixed`: tests that fail on the base and pass with the solution. `kept`: those that pass on both."""

    fixed: Plan
    kept: Plan
    notes: tuple[str, ...]


class _Answer(msgspec.Struct, frozen=True):
    tests: dict[str, tuple[str, str]]
    problem: str


@dataclass(frozen=True, slots=True)
class _Seen:
    """Names of the tests of a file that passed every time, and those that did not always come out alike."""

    always: frozenset[str]
    unsteady: frozenset[str]
    why: str
    """Why something did not pass: the first reason there was."""


def write_grader(folder: Path, chosen: Chosen | None) -> None:
    """The runner, and with `chosen` the scripts of its tests, below `folder`/tally_hidden."""
    place = folder / FOLDER
    place.mkdir(parents=True, exist_ok=True)
    for name in ("run.py", "checks.py"):
        (place / name).write_text(template(f"hidden/{name}"), encoding="utf-8")
    if chosen is None:
        return
    for name, says, plan in (
        ("fixed", "Tests that fail before the fix and pass with it.", chosen.fixed),
        ("kept", "Tests that pass before the fix and with it.", chosen.kept),
    ):
        if plan:
            (place / f"{name}.py").write_text(_script(says, plan), encoding="utf-8")


def _script(says: str, plan: Plan) -> str:
    lines = [f'"""{says}"""', "", "from checks import check", "", "check(", "    {"]
    for file, tests in plan.items():
        lines.append(f"        {_quoted(file)}: {{")
        lines += [f"            {_quoted(name)}: {_quoted(test_id)}," for name, test_id in tests.items()]
        lines.append("        },")
    return "\n".join([*lines, "    }", ")", ""])


def _quoted(text: str) -> str:
    """A text as JSON writes it, which Python and YAML read alike (names of tests and paths have no control characters)."""
    return c1.dumps(text).decode()


def choose(suite: LoadedSuite, task: Task, files: Iterable[str], sandbox: Sandbox) -> Chosen:
    """Run the tests of `files` on the base and on the solution, in the sandbox, and choose.

    Raises:
        NoHiddenTestError: no test fails on the base and passes with the solution.
        SandboxError: the sandbox does not start.
    """
    if isinstance(task.solution, UnsetType) or isinstance(task.grader, UnsetType):
        raise TypeError("a task from a repository has a solution and a grader")
    base, hidden = suite.tree(task.workspace), suite.tree(task.grader)
    solved = overlaid(suite, task, task.solution)
    bench = _Bench(suite, task, sandbox)
    ids = _Ids()
    fixed, kept, notes = Plan(), Plan(), list[str]()
    reasons = []
    for file in files:
        after = bench.look(apply_overlay(solved, hidden, ()), file)
        before = bench.look(apply_overlay(base, hidden, ()), file)
        unsteady = after.unsteady | before.unsteady
        notes += [f"{file}: {name} does not always come out alike and is left out" for name in sorted(unsteady)]
        good = after.always - unsteady
        _put(fixed, file, sorted(good - before.always), ids)
        _put(kept, file, sorted(good & before.always), ids)
        if after.why:
            reasons.append(f"{file}: {after.why}")
    if not fixed:
        raise NoHiddenTestError(_nothing(reasons, kept))
    many = [f"only {MOST_TESTS} tests are checked" for plan in (fixed, kept) if sum(map(len, plan.values())) == MOST_TESTS]
    return Chosen(fixed, kept, (*notes, *many, *(f"not every test passes with the solution: {reason}" for reason in reasons)))


def _nothing(reasons: list[str], kept: Mapping[str, dict[str, str]]) -> str:
    if reasons:
        return (
            f"no hidden test passes with the solution in the sandbox ({reasons[0]}); it has the standard library, no network "
            "and no installed package: vendor what the tests need into the repository, or choose another commit"
        )
    same = f"all {sum(map(len, kept.values()))} pass before it too" if kept else "there are none"
    return f"no test fails before the fix and passes with it ({same}); choose a commit whose tests show what it mends"


def _put(plan: Plan, file: str, names: list[str], ids: _Ids) -> None:
    room = MOST_TESTS - sum(map(len, plan.values()))
    if names[:room]:
        plan[file] = {name: ids.new(file, name) for name in names[:room]}


class _Ids:
    """Ids for tests: readable, unique, as a grader reports them."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def new(self, file: str, name: str) -> str:
        stem = file.rpartition("/")[2].removesuffix(".py").removeprefix("test_")
        plain = re.sub(r"[^a-z0-9_-]+", "-", f"{stem}-{name.replace('test_', '', 1)}".lower()).strip("-_")[:56] or "test"
        test_id, number = plain, 2
        while test_id in self._taken:
            test_id, number = f"{plain}-{number}", number + 1
        self._taken.add(test_id)
        return test_id


@dataclass(frozen=True, slots=True)
class _Bench:
    suite: LoadedSuite
    task: Task
    sandbox: Sandbox

    def look(self, tree: Tree, file: str) -> _Seen:
        """Run a test file on a tree several times."""
        answers = [self._run(tree, file) for _ in range(TIMES)]
        passed = [frozenset(name for name, row in answer.tests.items() if row[0] == "pass") for answer in answers]
        always, sometimes = frozenset.intersection(*passed), frozenset.union(*passed)
        return _Seen(always, sometimes - always, _why(answers))

    def _run(self, tree: Tree, file: str) -> _Answer:
        spec = Spec(
            argv=("python3", "-I", "-B", f"{FOLDER}/run.py", file),
            env={},
            limits=task_limits(self.task, WALL_MS),
            mask=installed_packages(),
        )
        outcome = self.sandbox.run(spec, fill=filler(tree, self.suite.blobs))
        try:
            return msgspec.json.decode(outcome.stdout.data, type=_Answer)
        except msgspec.DecodeError:
            return _Answer({}, _no_answer(outcome))


def _why(answers: list[_Answer]) -> str:
    for answer in answers:
        if answer.problem:
            return answer.problem
        bad = next((f"{name}: {row[1]}" for name, row in answer.tests.items() if row[0] in {"fail", "error"}), "")
        if bad:
            return bad
    return ""


def _no_answer(outcome: Outcome) -> str:
    said = outcome.stderr.data[-200:].decode("utf-8", "replace").strip().replace("\n", " | ")
    return f"the tests gave no answer (exit {outcome.exit}, limit {outcome.limit}) {said}".strip()
