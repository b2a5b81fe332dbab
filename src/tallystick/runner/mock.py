"""The hermetic mocks: no program, no sandbox, nothing checked. They exist to try the formats out, say so, and are never listed.

`mock` hands in the reference solution; `stochastic-mock` does so or hands in nothing, by the parity of
`SHA-256("sample:<seed>:<task_hash>:<attempt - 1>")`. The grade they give themselves is synthetic; a real grade pass agrees
with it as far as oracle and nop do what a sound suite demands.
"""

from __future__ import annotations

from tallystick.core.digest import sha256
from tallystick.records.base import UnsetType
from tallystick.records.blobs import BlobReader
from tallystick.records.evidence import Agent, Attempt, Grade, GradeResult, Outcome, TestOutcome
from tallystick.records.task import Command, Grader, Inspected, Task
from tallystick.records.tree import Overlay, Tree, tree_digest
from tallystick.runner.adapters import NO_CHANGE
from tallystick.runner.grading import GradePass
from tallystick.suites.allowed import grade_tree
from tallystick.suites.loaded import LoadedSuite, overlaid

__all__ = ["MockAdapter", "MockGrader", "StochasticMockAdapter"]


def _solution(task: Task) -> Overlay:
    return NO_CHANGE if isinstance(task.solution, UnsetType) else task.solution


class MockAdapter:
    """Always hands in the reference solution."""

    agent = Agent(adapter="mock", name="mock", self_test=True)

    def plan(self, suite: LoadedSuite, task: Task, attempt: Attempt) -> Overlay:  # noqa: ARG002 - the Protocol's shape
        """The reference solution."""
        return _solution(task)


class StochasticMockAdapter:
    """Hands in the solution or nothing, decided by a seed, the task and the attempt."""

    def __init__(self, seed: int = 0) -> None:
        self._seed = seed
        self.agent = Agent(adapter="stochastic-mock", name=f"stochastic-mock-{seed}", self_test=True)

    def plan(self, suite: LoadedSuite, task: Task, attempt: Attempt) -> Overlay:  # noqa: ARG002 - the Protocol's shape
        """The solution where the sample is even."""
        sample = sha256(f"sample:{self._seed}:{task.task_hash}:{attempt.index - 1}".encode())
        return _solution(task) if int(sample[7:23], 16) % 2 == 0 else NO_CHANGE


class MockGrader:
    """Claims that every assertion passes exactly when the reference solution was handed in; runs nothing."""

    def grade(self, suite: LoadedSuite, task: Task, final: Tree, blobs: BlobReader) -> GradePass:  # noqa: ARG002
        """A synthetic grade."""
        base = suite.tree(task.workspace)
        graded, excluded = grade_tree(task, base, final)
        passed = final == overlaid(suite, task, _solution(task))
        results = tuple(
            _claim(check, passed=passed) for check in task.assertions if isinstance(check, Command | Grader | Inspected)
        )
        grade = Grade(
            task_hash=task.task_hash,
            workspace=tree_digest(final),
            graded=tree_digest(graded),
            excluded=excluded,
            mode=task.grading.mode,
            results=results,
        )
        return GradePass(grade, graded, (), 0)


def _claim(check: Command | Grader | Inspected, *, passed: bool) -> GradeResult:
    outcome: Outcome = "pass" if passed else "fail"
    if isinstance(check, Command):
        return GradeResult(assertion=check.id, outcome=outcome, exit=check.exit if passed else check.exit + 1)
    if isinstance(check, Grader):
        tests = tuple(TestOutcome(id=name, outcome=outcome) for name in check.tests)
        return GradeResult(assertion=check.id, outcome=outcome, tests=tests)
    return GradeResult(assertion=check.id, outcome=outcome)
