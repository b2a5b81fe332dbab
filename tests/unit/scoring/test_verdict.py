"""When an outcome follows from its own evidence."""

from typing import Any

import msgspec
import pytest

from tallystick.records.evidence import GradeResult, TestOutcome
from tallystick.records.task import Command, Grader, SyntaxValid
from tallystick.scoring.verdict import EvidenceError, derive, executable, needs_grader, result_problem
from tests.support import synthetic as s

COMMAND = Command(id="c", argv=("true",), exit=3)
GRADER = Grader(id="c", script="g.py", tests=("a", "b"))
INSPECTED = SyntaxValid(id="c", path="m.py")


def told(**outcomes: Any) -> tuple[TestOutcome, ...]:
    return tuple(TestOutcome(id=name, outcome=outcome) for name, outcome in outcomes.items())


def result(outcome: Any, **evidence: Any) -> GradeResult:
    return GradeResult(assertion="c", outcome=outcome, **evidence)


FOLLOWS = [
    (COMMAND, result("pass", exit=3)),
    (COMMAND, result("fail", exit=0)),
    (COMMAND, result("fail")),
    (COMMAND, result("error")),
    (GRADER, result("pass", tests=told(a="pass", b="pass"))),
    (GRADER, result("pass", tests=told(a="pass", b="pass", extra="pass"))),
    (GRADER, result("fail", tests=told(a="pass", b="fail"))),
    (GRADER, result("fail", tests=told(a="pass"))),
    (GRADER, result("error", tests=told(a="pass", b="pass"))),
    (GRADER, result("error")),
    (INSPECTED, result("pass")),
    (INSPECTED, result("error")),
]

CONTRADICTS = [
    (COMMAND, result("pass", exit=0)),
    (COMMAND, result("pass")),
    (COMMAND, result("fail", exit=3)),
    (COMMAND, result("pass", exit=3, tests=())),
    (GRADER, result("pass")),
    (GRADER, result("pass", tests=told(a="pass"))),
    (GRADER, result("pass", tests=told(a="pass", b="error"))),
    (GRADER, result("pass", tests=told(a="pass", b="pass", extra="fail"))),
    (GRADER, result("pass", exit=1, tests=told(a="pass", b="pass"))),
    (GRADER, result("fail", tests=told(a="pass", b="pass"))),
    (INSPECTED, result("pass", exit=0)),
    (INSPECTED, result("pass", tests=())),
]


@pytest.mark.parametrize(("check", "found"), FOLLOWS)
def test_an_outcome_that_follows(check: Any, found: GradeResult) -> None:
    assert result_problem(check, found) is None


@pytest.mark.parametrize(("check", "found"), CONTRADICTS)
def test_an_outcome_that_does_not_follow(check: Any, found: GradeResult) -> None:
    assert result_problem(check, found)


def test_a_test_reported_twice_passes_only_if_both_did() -> None:
    doubled = (*told(a="fail"), *told(a="pass", b="pass"))
    assert result_problem(GRADER, result("pass", tests=doubled))


def test_only_some_tasks_need_a_grader() -> None:
    assert [needs_grader(task) for task in s.SUITE.tasks] == [False, True, True]
    assert [check.id for check in executable(s.SUITE.task("shorten"))] == ["syntax", "runs"]


def test_a_graded_receipt_without_its_grade_gives_no_verdict() -> None:
    run = s.honest_run()
    receipt = s.evidence_of(run, run.part("fix_bug")).receipt
    with pytest.raises(EvidenceError, match="no grade"):
        derive(run.part("fix_bug").task, receipt, None, None)
    with pytest.raises(EvidenceError, match=r"no attempt\.end"):
        derive(run.part("fix_bug").task, msgspec.structs.replace(receipt, events=receipt.events[:-1]), None, None)


POINTED = msgspec.structs.replace(s.SUITE.task("fix_bug"), points=UNSET)
