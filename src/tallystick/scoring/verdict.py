"""A verdict: whether an attempt passed, derived from its receipt and the evidence of its grade pass.

An attempt passed exactly when its journal ends graded, no limit ended its agent, and every assertion of the task holds.
Portable assertions are evaluated here, from bytes. Inspected and executed ones are read from the grade, where an outcome must
follow from the exit code and the tests that are recorded beside it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

from tallystick.core.errors import TallyError
from tallystick.records.base import UNSET
from tallystick.records.bundle import HarnessOutput
from tallystick.records.evidence import Grade, GradeResult, Receipt
from tallystick.records.journal import AgentEnd, AttemptEnd, WorkspaceSealed
from tallystick.records.task import Assertion, Command, Grader, Point, Task
from tallystick.scoring.portable import Workspaces, holds, is_portable

__all__ = [
    "EvidenceError",
    "Verdict",
    "derive",
    "event_of",
    "executable",
    "graded_results",
    "has_crashed",
    "needs_grader",
    "partial_score",
    "result_problem",
]

E = TypeVar("E", AgentEnd, AttemptEnd, WorkspaceSealed)


class EvidenceError(TallyError):
    """Evidence from which no verdict follows."""


@dataclass(frozen=True)
class Verdict:
    """What an attempt is worth: `score` is 1 where it passed, else its partial points; `crashed` counts against reliability."""

    passed: bool
    score: Fraction
    output: HarnessOutput
    crashed: bool


def event_of(receipt: Receipt, cls: type[E]) -> E | None:
    """The event of a kind that stands at most once in a journal, or None."""
    return next((event for event in receipt.events if isinstance(event, cls)), None)


def has_crashed(receipt: Receipt) -> bool:
    """Whether an attempt counts against reliability: an infrastructure error, or a signal that no limit of ours sent."""
    end, agent = event_of(receipt, AttemptEnd), event_of(receipt, AgentEnd)
    signalled = agent is not None and agent.signal is not UNSET and agent.limit is UNSET
    return signalled or (end is not None and end.outcome not in {"graded", "refused"})


def executable(task: Task) -> tuple[Assertion, ...]:
    """The assertions that the grade pass decides (inspected and executed), in the order of the task."""
    return tuple(check for check in task.assertions if not is_portable(check))


def needs_grader(task: Task) -> bool:
    """Whether a grade pass has anything to decide."""
    return bool(executable(task))


def derive(task: Task, receipt: Receipt, grade: Grade | None, at: Workspaces | None) -> Verdict:
    """The verdict of an attempt whose journal is legal. A graded one needs its grade and workspaces.

    Raises:
        EvidenceError: the grade does not speak of the task's assertions, or contradicts itself.
        MissingBlobError: a portable assertion asks for bytes that are not here.
    """
    end = event_of(receipt, AttemptEnd)
    agent = event_of(receipt, AgentEnd)
    if end is None:
        raise EvidenceError("the journal has no attempt.end")
    limit = agent.limit if agent is not None else UNSET
    crashed = has_crashed(receipt)
    total = len(task.assertions)
    if end.outcome != "graded":
        refused = end.outcome == "refused"
        outcome = HarnessOutput(outcome="refused" if refused else "infra_error", assertions=total, limit=limit, cause=end.cause)
        return Verdict(passed=False, score=Fraction(0), output=outcome, crashed=crashed)
    if grade is None or at is None:
        raise EvidenceError("the attempt ends graded, but there is no grade")
    failed = failing(task, grade, at)
    passed = not failed and limit is UNSET
    output = HarnessOutput(outcome="passed" if passed else "failed", assertions=total, failed=failed, limit=limit)
    score = Fraction(1) if passed else Fraction(0) if limit is not UNSET else partial_score(task, grade, failed)
    return Verdict(passed=passed, score=score, output=output, crashed=crashed)


def partial_score(task: Task, grade: Grade, failed: tuple[str, ...]) -> Fraction:
    """The part of a task's points that a graded attempt earned which did not pass: below 1, 0 where a condition fails.

    `failed` are the assertions that do not hold. Those without points are conditions.
    """
    points = () if task.points is UNSET else task.points
    with_points = {point.assertion for point in points}
    if not points or any(name not in with_points for name in failed):
        return Fraction(0)
    earned = sum(point.points for point in points if _is_earned(point, grade, failed))
    total = sum(point.points for point in points)
    return Fraction(earned, total) if earned < total else Fraction(0)


def _is_earned(point: Point, grade: Grade, failed: tuple[str, ...]) -> bool:
    if point.test is UNSET:
        return point.assertion not in failed
    result = next(result for result in grade.results if result.assertion == point.assertion)
    tests = () if result.tests is UNSET else result.tests
    outcomes = [test.outcome for test in tests if test.id == point.test]
    return bool(outcomes) and all(outcome == "pass" for outcome in outcomes)


def failing(task: Task, grade: Grade, at: Workspaces) -> tuple[str, ...]:
    """Ids of the assertions that do not hold, in the order of the task. Errors as `derive`."""
    results = graded_results(task, grade)
    return tuple(check.id for check in task.assertions if not _check_holds(check, results, at))


def _check_holds(check: Assertion, results: dict[str, GradeResult], at: Workspaces) -> bool:
    if is_portable(check):
        return holds(check, at)
    return results[check.id].outcome == "pass"


def graded_results(task: Task, grade: Grade) -> dict[str, GradeResult]:
    """The results of a grade by assertion id, checked.

    Raises:
        EvidenceError: they are not those of the task's executable assertions in order, or one contradicts itself.
    """
    checks = executable(task)
    wanted, found = [check.id for check in checks], [result.assertion for result in grade.results]
    if wanted != found:
        raise EvidenceError(f"the grade speaks of [{_list(found)}] where the task asks for [{_list(wanted)}]")
    for check, result in zip(checks, grade.results, strict=True):
        problem = result_problem(check, result)
        if problem:
            raise EvidenceError(f"assertion {check.id}: {problem}")
    return {result.assertion: result for result in grade.results}


def _list(ids: Iterable[str]) -> str:
    return ", ".join(ids)[:200]


def result_problem(check: Assertion, result: GradeResult) -> str | None:
    """Why the outcome of an inspected or executed assertion does not follow from its own evidence, or None."""
    if isinstance(check, Command):
        return _command_problem(check, result)
    if isinstance(check, Grader):
        return _grader_problem(check, result)
    if result.exit is not UNSET or result.tests is not UNSET:
        return "an inspected assertion has neither exit nor tests"
    return None


def _command_problem(check: Command, result: GradeResult) -> str | None:
    if result.tests is not UNSET:
        return "a command has no tests"
    if (result.outcome == "pass") != (result.exit is not UNSET and result.exit == check.exit):
        ended = "no exit code" if result.exit is UNSET else f"exit {result.exit}"
        return f"outcome {result.outcome} does not follow from {ended} (wanted {check.exit})"
    return None


def _grader_problem(check: Grader, result: GradeResult) -> str | None:
    tests = () if result.tests is UNSET else result.tests
    bad = next((test.id for test in tests if test.outcome != "pass"), None)
    missing = next((name for name in check.tests if name not in {test.id for test in tests}), None)
    clean = bad is None and missing is None and result.exit in {UNSET, 0}
    if result.outcome == "pass" and not clean:
        why = f"the test {bad} did not pass" if bad else f"the test {missing} was not reported" if missing else "exit is not 0"
        return f"outcome pass, but {why}"
    # A grader may end by a limit after its last report, which is an error and no failed test.
    return "outcome fail, but every test passed" if result.outcome == "fail" and clean else None
