"""Judgements in a bundle: what is derived again from bytes, what only a regrade derives, and what is said of forgeries."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

import msgspec
import pytest

from tallystick.core.digest import EMPTY
from tallystick.records.base import UNSET, digest_of
from tallystick.records.blobs import BlobReader, ChainedBlobs
from tallystick.records.evidence import Grade
from tallystick.records.judgement import CodeDelta, CodeMeasures, Judgement, Size, TestMeasures
from tallystick.records.report import Level, Report, Status, Step
from tallystick.records.task import Task, hash_suite, hash_task
from tallystick.records.tree import Tree, tree_digest
from tallystick.suites.allowed import grade_tree
from tallystick.suites.changed import byte_measures, is_python, python_records, reference_of
from tallystick.verify.bundle import verify
from tallystick.verify.ports import VerifyOptions
from tests.support import synthetic as s

change = msgspec.structs.replace
TASK = "shorten"


def judged_suite() -> s.MemorySuite:
    """The tiny suite with a judge of every task but the first."""
    first, *rest = s.SUITE.tasks
    tasks = [first]
    for task in rest:
        named = change(task, judge="static-v1")
        tasks.append(change(named, task_hash=hash_task(named)))
    document = change(s.SUITE.document, tasks=tuple(tasks), suite_hash=hash_suite(tuple(tasks)))
    return s.MemorySuite(document, s.SUITE.blobs)


SUITE = judged_suite()


def judge(task: Task, final: Tree, blobs: BlobReader) -> Judgement:
    """What an honest judge measures, as far as these tests go."""
    base = SUITE.tree(task.workspace)
    graded, excluded = grade_tree(task, base, final)
    solution = SUITE.tree(task.solution.tree) if task.solution is not UNSET else None
    pairs = python_records(base, graded)
    delta = CodeDelta(
        before=CodeMeasures(files=sum(is_python(old) for old, _ in pairs)),
        after=CodeMeasures(files=sum(is_python(new) for _, new in pairs)),
    )
    return Judgement(
        rubric="static-v1",
        task_hash=task.task_hash,
        graded=tree_digest(graded),
        **byte_measures(base, graded, excluded, reference_of(task, base, solution, SUITE.blobs), blobs),
        code=delta if pairs else UNSET,
        tests=TestMeasures() if pairs else UNSET,
    )


def run_of(twist: Callable[[Judgement], Judgement] = lambda one: one, *, unjudged: int = 0) -> s.Run:
    """A run whose attempts are judged where the suite says so, all but the last `unjudged`; the first judgement is twisted."""
    run = s.honest_run(suite=SUITE)
    parts = [part for part in run.parts if part.task.judge is not UNSET]
    for place, part in enumerate(parts[: len(parts) - unjudged]):
        honest = judge(part.task, part.final, ChainedBlobs(run.blobs, SUITE.blobs))
        part.judgement = honest if place else twist(honest)
    return run


@dataclass
class FakeRegrader:
    """Grades and judges as an honest machine would."""

    twist: Callable[[Grade, int], Grade] = lambda grade, _: grade
    calls: list[str] = field(default_factory=list)

    def regrade(self, task: Task, final: Tree, refused_total: int, blobs: BlobReader) -> Grade:
        self.calls.append(task.id)
        graded, excluded = grade_tree(task, SUITE.tree(task.workspace), final)
        grade = Grade(
            task_hash=task.task_hash,
            workspace=digest_of(final),
            graded=digest_of(graded),
            excluded=excluded,
            mode=task.grading.mode,
            results=s.honest_results(task, passes=final == SUITE.solved(task)),
            judgement=digest_of(judge(task, final, ChainedBlobs(blobs, SUITE.blobs))) if task.judge is not UNSET else UNSET,
        )
        return self.twist(grade, len(self.calls))


def check(run: s.Run, regrader: FakeRegrader | None = None, **options: Any) -> Report:
    sealed = s.seal(run)
    return verify(s.opened(sealed), SUITE, VerifyOptions(**options), regrader)


def row(report: Report, task: str = TASK) -> tuple[Status, int | object, str]:
    found = next(one for one in report.rows if one.task_id == task)
    return found.status, found.step, found.reason


def test_an_honest_judgement_is_derived_and_counts() -> None:
    report = check(run_of(), FakeRegrader())
    assert (report.status, report.level, report.reasons) == (Status.MATCH, "regraded", ())
    # write_file names no judge and counts 0; shorten is all of 5 but the tests nobody wrote; fix_bug likewise
    assert report.judged == 2
    assert [one.quality for one in report.rows] == [UNSET, Decimal("0.85"), Decimal("0.85")]
    assert report.code_quality == Decimal("0.566667")


def test_an_unjudged_attempt_counts_nothing_beside_judged_ones() -> None:
    regrader = FakeRegrader()
    report = check(run_of(unjudged=1), regrader)
    assert (report.status, report.judged, report.code_quality) == (Status.MATCH, 1, Decimal("0.283333"))
    assert sorted(regrader.calls) == ["fix_bug", "shorten"]


@pytest.mark.parametrize(
    ("member", "value"),
    [
        ("size", Size(files=1, added=0, removed=0)),
        ("secrets", 1),
        ("excluded", 3),
        ("reference", Size(files=1, added=100)),
        ("ratio", 1000),
    ],
)
def test_measures_of_bytes_are_derived_again(member: str, value: Any) -> None:
    report = check(run_of(lambda one: change(one, **{member: value})))
    assert row(report) == (Status.FABRICATED_SCORE, Step.verdicts, f"judgement.{member} does not follow from the files")
    assert report.status is Status.DIVERGED


@pytest.mark.parametrize("members", [{"task_hash": EMPTY}, {"graded": EMPTY}])
def test_a_judgement_of_something_else(members: dict[str, Any]) -> None:
    status, step, reason = row(check(run_of(lambda one: change(one, **members))))
    assert (status, step) == (Status.FABRICATED_SCORE, Step.verdicts)
    assert "another task or workspace" in reason


@pytest.mark.parametrize(
    ("members", "says"),
    [
        ({"code": UNSET, "tests": UNSET}, "measures no code"),
        ({"code": CodeDelta(before=CodeMeasures(files=9), after=CodeMeasures(files=1))}, "other files"),
    ],
)
def test_code_is_measured_exactly_where_python_changed(members: dict[str, Any], says: str) -> None:
    status, step, reason = row(check(run_of(lambda one: change(one, **members))))
    assert (status, step) == (Status.FABRICATED_SCORE, Step.verdicts)
    assert says in reason


def test_measures_that_need_a_sandbox_are_derived_by_a_regrade() -> None:
    lie = TestMeasures(added=4, passing=True, mutants=8, killed=8)
    run = run_of(lambda one: change(one, tests=lie))
    assert check(run).status is Status.MATCH  # at rederived: as good as the graders' outcomes
    status, step, reason = row(check(run, FakeRegrader()))
    assert (status, step) == (Status.FABRICATED_SCORE, Step.regrade)
    assert "the judge measures something else" in reason


def test_a_judge_that_cannot_judge_here_is_no_match() -> None:
    regrader = FakeRegrader(lambda grade, _: change(grade, judgement=UNSET))
    assert row(check(run_of(), regrader))[0] is Status.NOT_REGRADED


def test_a_judge_that_disagrees_with_itself_is_unstable() -> None:
    regrader = FakeRegrader(lambda grade, call: change(grade, judgement=EMPTY if call % 2 else UNSET))
    assert row(check(run_of(), regrader))[0] is Status.UNSTABLE


def test_a_judgement_where_the_suite_names_no_judge() -> None:
    run = s.honest_run()
    part = run.part(TASK)
    part.judgement = change(judge(SUITE.task(TASK), part.final, s.SUITE.blobs), task_hash=part.task.task_hash)
    report = verify(s.opened(s.seal(run)), s.SUITE, VerifyOptions())
    assert row(report)[:2] == (Status.FABRICATED_SCORE, Step.verdicts)
    assert "names no judge" in row(report)[2]


def test_a_withheld_judgement_leaves_no_score() -> None:
    run = run_of()
    judgement = run.part(TASK).judgement
    assert judgement is not None
    run.withheld = frozenset({digest_of(judgement)})
    report = check(run)
    assert row(report)[0] is Status.WITHHELD
    assert report.status is Status.WITHHELD


def test_a_forged_code_quality_is_named() -> None:
    sealed = s.seal(run_of())
    better = s.resigned(sealed, components=change(sealed.bundle.components, code_quality=1))
    report = verify(s.opened(better), SUITE, VerifyOptions(level=Level.rederived))
    assert report.status is Status.FABRICATED_SCORE
    assert any(reason.startswith("step 13") and "code_quality=1" in reason for reason in report.reasons)
