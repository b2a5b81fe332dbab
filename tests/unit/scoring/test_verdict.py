"""When an outcome follows from its own evidence."""

from fractions import Fraction
from typing import Any

import msgspec
import pytest

from tallystick.records.evidence import Grade, GradeResult, TestOutcome
from tallystick.records.task import Command, FileExists, Grader, Point, SyntaxValid
from tallystick.scoring.verdict import EvidenceError, derive, executable, needs_grader, partial_score, result_problem
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


POINTED = msgspec.structs.replace(
    s.SUITE.task("fix_bug"),
    assertions=(GRADER, FileExists(id="there", path="a.txt")),
    points=(Point(assertion="c", test="a", points=3), Point(assertion="c", test="b", points=1)),
)


def graded(**outcomes: Any) -> Grade:
    """A grade of `POINTED` with these tests."""
    run = s.honest_run()
    grade = s.evidence_of(run, run.part("fix_bug")).grade
    assert grade is not None
    return msgspec.structs.replace(grade, results=(result("fail", tests=told(**outcomes)),))


def test_points_count_where_every_condition_holds() -> None:
    assert partial_score(POINTED, graded(a="pass", b="fail"), ("c",)) == Fraction(3, 4)
    assert partial_score(POINTED, graded(a="error", b="pass"), ("c",)) == Fraction(1, 4)
    assert partial_score(POINTED, graded(b="pass"), ("c",)) == Fraction(1, 4)
    assert partial_score(POINTED, graded(), ("c",)) == 0


def test_points_are_nothing_where_a_condition_fails() -> None:
    assert partial_score(POINTED, graded(a="pass", b="fail"), ("c", "there")) == 0


def test_all_points_without_passing_are_nothing() -> None:
    assert partial_score(POINTED, graded(a="pass", b="pass", more="fail"), ("c",)) == 0


def test_a_test_reported_twice_earns_only_where_both_passed() -> None:
    doubled = result("fail", tests=(*told(a="pass", b="pass"), *told(a="fail")))
    grade = msgspec.structs.replace(graded(), results=(doubled,))
    assert partial_score(POINTED, grade, ("c",)) == Fraction(1, 4)


@pytest.mark.parametrize(
    ("points", "said"),
    [
        ((Point(assertion="d", points=1),), "no such assertion"),
        ((Point(assertion="c", points=1),), "by name"),
        ((Point(assertion="c", test="a", points=1),), "each of its tests"),
        ((Point(assertion="there", points=1), Point(assertion="there", points=2)), "twice"),
    ],
)
def test_points_for_nothing_are_refused(points: tuple[Point, ...], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        msgspec.structs.replace(POINTED, points=points)
