"""Graders run again by somebody who was handed in: what is compared, and what becomes of a row that cannot be repeated."""

from collections.abc import Callable
from dataclasses import dataclass, field

import msgspec
import pytest

from tallystick.records.base import digest_of
from tallystick.records.blobs import BlobReader
from tallystick.records.evidence import Grade
from tallystick.records.journal import AttemptEnd
from tallystick.records.report import Level, Report, Status, Step
from tallystick.records.task import Task
from tallystick.records.tree import Tree
from tallystick.suites.allowed import grade_tree
from tallystick.verify.bundle import verify
from tallystick.verify.ports import CannotRegradeError, RegradeFailedError, VerifyOptions
from tests.support import synthetic as s

change = msgspec.structs.replace


@dataclass
class FakeRegrader:
    """Grades as an honest machine would: a workspace passes exactly when it is the reference solution."""

    suite: s.MemorySuite = s.SUITE
    twist: Callable[[Grade, int], Grade] = lambda grade, _: grade
    calls: list[str] = field(default_factory=list)

    def regrade(self, task: Task, final: Tree, refused_total: int, blobs: BlobReader) -> Grade:
        self.calls.append(task.id)
        for record in final.records:
            assert record.digest
            blobs.read(record.digest)
        graded, excluded = grade_tree(task, self.suite.tree(task.workspace), final)
        grade = Grade(
            task_hash=task.task_hash,
            workspace=digest_of(final),
            graded=digest_of(graded),
            excluded=excluded,
            mode=task.grading.mode,
            results=s.honest_results(task, passes=final == self.suite.solved(task)),
        )
        return self.twist(grade, len(self.calls))


class NoSandbox:
    def regrade(self, task: Task, final: Tree, refused_total: int, blobs: BlobReader) -> Grade:
        raise CannotRegradeError("bubblewrap is not installed; apt-get install bubblewrap")


def check(sealed: s.Sealed, regrader: FakeRegrader | NoSandbox, **options: object) -> Report:
    return verify(s.opened(sealed), sealed.suite, VerifyOptions(**options), regrader)  # type: ignore[arg-type]


def test_an_honest_bundle_is_regraded_row_by_row() -> None:
    regrader = FakeRegrader()
    report = check(s.seal(s.honest_run(2, failing=("shorten",))), regrader)
    assert (report.status, report.level) == (Status.MATCH, "regraded")
    assert regrader.calls == ["shorten", "shorten", "fix_bug", "fix_bug"]  # portable assertions need no grader
    assert report.steps[Step.regrade - 1].state == "ok"


def invented() -> s.Sealed:
    """An untouched workspace whose grade says that every test passed; the portable assertions hold."""
    run = s.honest_run()
    part = run.part("shorten")
    part.final = run.put({"m.py": "boom\n"})
    return s.seal(run)


def test_an_invented_grade_diverges_when_graded_again() -> None:
    assert verify(s.opened(invented()), s.SUITE, VerifyOptions()).status is Status.MATCH
    report = check(invented(), FakeRegrader())
    assert report.status is Status.DIVERGED
    row = report.rows[1]
    assert (row.task_id, row.status, row.step) == ("shorten", Status.DIVERGED, Step.regrade)
    assert "assertion syntax was pass, now syntax fail" in row.reason
    assert [other.level for other in report.rows] == ["regraded", "rederived", "regraded"]


def flaky(grade: Grade, call: int) -> Grade:
    return change(grade, results=()) if call % 2 else grade


def test_two_regrades_that_disagree_are_unstable() -> None:
    report = check(invented(), FakeRegrader(twist=flaky))
    assert report.status is Status.DIVERGED or report.rows[1].status is Status.UNSTABLE
    assert report.rows[1].status is Status.UNSTABLE


def test_unstable_rows_alone_make_the_bundle_unstable() -> None:
    run = s.honest_run()
    report = check(s.seal(run), FakeRegrader(twist=flaky))
    assert report.status is Status.UNSTABLE
    assert {row.status for row in report.rows[1:]} == {Status.UNSTABLE}


def gone(grade: Grade, call: int) -> Grade:
    if call == 2:
        raise CannotRegradeError("the sandbox did not start")
    return grade


def test_a_grade_that_differs_is_not_forgiven_when_the_second_pass_fails() -> None:
    run = s.honest_run()
    run.parts = [run.part("shorten")]
    run.tasks = ("shorten",)
    run.parts[0].final = run.put({"m.py": "boom\n"})
    row = check(s.seal(run), FakeRegrader(twist=gone)).rows[0]
    assert (row.status, row.step) == (Status.UNSTABLE, Step.regrade)


def test_a_machine_without_a_sandbox_stops_at_rederived_and_says_why() -> None:
    report = check(s.seal(s.honest_run()), NoSandbox())
    assert (report.status, report.level) == (Status.MATCH, "rederived")
    assert "apt-get install bubblewrap" in report.steps[Step.regrade - 1].note
    assert "apt-get install bubblewrap" in report.rows[1].reason


def test_a_reader_who_demands_regrading_is_not_content_with_less() -> None:
    report = check(s.seal(s.honest_run()), NoSandbox(), demand=Level.regraded)
    assert report.status is Status.NOT_REGRADED
    assert [row.status for row in report.rows] == [Status.MATCH, Status.NOT_REGRADED, Status.NOT_REGRADED]


def test_nothing_is_run_below_the_level_asked_for() -> None:
    regrader = FakeRegrader()
    report = check(s.seal(s.honest_run()), regrader, level=Level.rederived)
    assert (report.status, report.level, regrader.calls) == (Status.MATCH, "rederived", [])


@pytest.mark.parametrize("members", [{"submitted_at": 1}, {"signature": "a..b"}])
def test_nothing_of_a_tampered_file_is_run(members: dict[str, object]) -> None:
    regrader = FakeRegrader()
    check(s.edited(s.seal(s.honest_run()), **members), regrader)
    assert regrader.calls == []


def test_a_lie_in_one_row_keeps_no_other_from_being_graded_again() -> None:
    sealed = s.seal(s.honest_run(failing=("shorten",)))
    sealed = s.resigned(sealed, task_results=s.with_result(sealed, 1, passed=True))
    regrader = FakeRegrader()
    report = check(sealed, regrader)
    assert regrader.calls == ["fix_bug"]
    assert [row.level for row in report.rows] == ["regraded", "intact", "regraded"]


def test_an_attempt_without_a_grade_has_nothing_to_repeat() -> None:
    run = s.honest_run()
    run.part("fix_bug").ending = AttemptEnd(seq=0, outcome="infra_error", cause="grader_failed")
    regrader = FakeRegrader()
    report = check(s.seal(run), regrader)
    assert (report.status, report.level, regrader.calls) == (Status.MATCH, "regraded", ["shorten"])


def test_a_grader_in_the_subjects_process_is_labelled() -> None:
    suite = s.make_suite(mode="in_process")
    report = check(s.seal(s.honest_run(suite=suite)), FakeRegrader(suite))
    assert (report.status, report.level) == (Status.MATCH, "regraded (in-process)")
    assert [row.level for row in report.rows] == ["regraded", "regraded (in-process)", "regraded (in-process)"]


def no_grade(grade: Grade, call: int) -> Grade:
    raise RegradeFailedError(f"call {call} ended in the middle of the grade of {grade.task_hash}")


def test_files_with_which_graders_come_to_no_grade_are_not_believed() -> None:
    report = check(s.seal(s.honest_run()), FakeRegrader(twist=no_grade))
    assert report.status is Status.NOT_REGRADED
    assert {(row.status, row.step) for row in report.rows[1:]} == {(Status.NOT_REGRADED, Step.regrade)}
