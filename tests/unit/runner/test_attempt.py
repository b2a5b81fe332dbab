"""One attempt, phase by phase: what each ending leaves in the receipt."""

from __future__ import annotations

from pathlib import Path

import pytest

from tallystick.records.base import UNSET, digest_of
from tallystick.records.evidence import Attempt, parse_grade, spine_root
from tallystick.records.journal import AgentEnd, AttemptEnd, WorkspaceSealed, journal_root
from tallystick.records.tree import parse_tree
from tallystick.runner.adapters import NopAdapter, OracleAdapter
from tallystick.runner.attempt import CancelledError, Workbench, interrupted_receipt, refused_receipt, run_attempt
from tallystick.runner.grading import GradeFailedError
from tallystick.sandbox.spec import Outcome, SandboxError, SandboxUnavailableError, Spec
from tests.support.fake_sandbox import TINY, FakeSandbox, ended
from tests.unit.runner.bench import BrokenGrader, FakeGrader, Starter, workbench

FIRST = Attempt(index=1, of=2)
WRITE, SHORTEN, FIX = TINY.tasks


def kinds(bench: Workbench, done: object) -> list[str]:
    del bench
    return [str(event.__struct_config__.tag) for event in done.receipt.events]  # type: ignore[attr-defined]


def test_an_overlay_is_sealed_and_graded(tmp_path: Path) -> None:
    grader = FakeGrader()
    bench = workbench(tmp_path, OracleAdapter(), grader=grader)
    done = run_attempt(bench, WRITE, FIRST)
    receipt = done.receipt
    assert kinds(bench, done) == ["attempt.begin", "agent.start", "agent.end", "workspace.sealed", "grade.done", "attempt.end"]
    assert [link.role for link in receipt.spine] == [
        "suite",
        "task",
        "workspace.base",
        "agent",
        "config",
        "workspace.final",
        "grade",
    ]
    assert receipt.journal_head == journal_root(receipt.events)
    assert receipt.spine_head == spine_root(receipt.spine)
    final = receipt.link("workspace.final")
    assert final is not None
    tree = parse_tree(bench.store.read(final))
    assert [record.path for record in tree.records] == ["a.txt", "b.txt"]
    assert grader.given == [(WRITE.id, tree)]
    grade = receipt.link("grade")
    assert grade is not None
    assert parse_grade(bench.store.read(grade)).workspace == final
    for record in tree.records:
        assert isinstance(record.digest, str)
        bench.store.read(record.digest)
    assert done.observed.grade_wall_ms == 5
    assert [name for name, _ in done.observed.outputs] == ["grade.x.stdout"]


def test_a_program_changes_the_workspace(tmp_path: Path) -> None:
    def program(spec: Spec, work: Path, stdin: bytes) -> Outcome:
        assert (spec.argv, stdin) == (("prog",), b"text")
        assert (work / ".git/HEAD").is_file()
        (work / "a.txt").unlink()
        (work / "new").write_text("n")
        (work / "link").symlink_to("/etc/passwd")
        return ended(3, stdout=b"said", stderr=b"complained")

    bench = workbench(tmp_path, Starter(), sandbox=FakeSandbox(program), grader=FakeGrader())
    done = run_attempt(bench, WRITE, FIRST)
    end = next(event for event in done.receipt.events if isinstance(event, AgentEnd))
    assert (end.exit, end.signal, end.limit) == (3, UNSET, UNSET)
    sealed = next(event for event in done.receipt.events if isinstance(event, WorkspaceSealed))
    assert (sealed.added, sealed.modified, sealed.removed, sealed.refused_total) == (1, 0, 1, 1)
    assert sealed.refused[0].path == "link"
    assert {name for name, _ in done.observed.outputs} == {"agent.stdout", "agent.stderr", "grade.x.stdout"}


def test_a_limit_is_recorded_and_graded(tmp_path: Path) -> None:
    sandbox = FakeSandbox(lambda *_: ended(None, limit="wall"))
    done = run_attempt(workbench(tmp_path, Starter(), sandbox=sandbox), WRITE, FIRST)
    end = next(event for event in done.receipt.events if isinstance(event, AgentEnd))
    assert (end.exit, end.signal, end.limit) == (UNSET, UNSET, "wall")
    assert done.receipt.events[-1] == AttemptEnd(seq=5, outcome="graded")


def raising(error: Exception) -> FakeSandbox:
    def program(spec: Spec, work: Path, stdin: bytes) -> Outcome:
        raise error

    return FakeSandbox(program)


def test_a_sandbox_that_fails_is_an_infrastructure_error(tmp_path: Path) -> None:
    bench = workbench(tmp_path, Starter(), sandbox=raising(SandboxError("stuck")))
    done = run_attempt(bench, WRITE, FIRST)
    assert done.receipt.events[-1] == AttemptEnd(seq=2, outcome="infra_error", cause="sandbox_failed")
    assert done.receipt.link("workspace.final") is None
    ((name, digest),) = done.observed.outputs
    assert (name, bench.store.read(digest)) == ("infra_error", b"stuck")


def test_a_grader_that_fails_is_an_infrastructure_error(tmp_path: Path) -> None:
    bench = workbench(tmp_path, OracleAdapter(), grader=BrokenGrader([GradeFailedError("protocol")]))
    done = run_attempt(bench, WRITE, FIRST)
    assert done.receipt.events[-1] == AttemptEnd(seq=4, outcome="infra_error", cause="grader_failed")
    assert done.receipt.link("workspace.final") is not None
    assert done.receipt.link("grade") is None


def test_a_machine_without_sandbox_stops_the_run(tmp_path: Path) -> None:
    bench = workbench(tmp_path, Starter(), sandbox=raising(SandboxUnavailableError("no bwrap")))
    with pytest.raises(SandboxUnavailableError):
        run_attempt(bench, WRITE, FIRST)


def test_a_cancelled_attempt_leaves_no_receipt(tmp_path: Path) -> None:
    bench = workbench(tmp_path, Starter())
    bench.cancel.set()
    with pytest.raises(CancelledError):
        run_attempt(bench, WRITE, FIRST)


def test_equal_attempts_have_equal_receipts(tmp_path: Path) -> None:
    one, other = (run_attempt(workbench(tmp_path / name, OracleAdapter()), FIX, FIRST).receipt for name in "ab")
    assert digest_of(one) == digest_of(other)
    assert digest_of(run_attempt(workbench(tmp_path / "a", NopAdapter()), FIX, FIRST).receipt) != digest_of(one)


def test_receipts_of_attempts_that_never_ran(tmp_path: Path) -> None:
    bench = workbench(tmp_path, OracleAdapter())
    cut_off = interrupted_receipt(bench, SHORTEN, FIRST)
    assert cut_off.events[-1] == AttemptEnd(seq=1, outcome="interrupted", cause="interrupted")
    refused = refused_receipt(bench, SHORTEN, FIRST)
    assert refused.receipt.events[-1] == AttemptEnd(seq=1, outcome="refused", cause="budget_exceeded")
    for receipt in (cut_off, refused.receipt):
        assert receipt.journal_head == journal_root(receipt.events)
        assert receipt.spine_head == spine_root(receipt.spine)
