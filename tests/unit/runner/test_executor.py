"""Many attempts: order, resuming, tries, budget, stopping."""

from __future__ import annotations

import dataclasses
import threading
from decimal import Decimal
from pathlib import Path

import msgspec
import pytest

from tallystick.recording.blobs import StoreError
from tallystick.records.bundle import Observed
from tallystick.records.evidence import Attempt, Receipt
from tallystick.records.journal import AttemptEnd
from tallystick.records.state import FinishedAttempt
from tallystick.runner.adapters import OracleAdapter
from tallystick.runner.attempt import run_attempt
from tallystick.runner.executor import Progress, end_of, execute
from tallystick.runner.grading import GradeFailedError
from tallystick.sandbox.spec import Outcome, SandboxUnavailableError, Spec
from tests.support.fake_sandbox import TINY, FakeSandbox, ended
from tests.unit.runner.bench import BrokenGrader, Starter, folder_for, workbench

TASKS = TINY.tasks


def outcomes(receipts: tuple[Receipt, ...]) -> list[str]:
    ends = [end_of(receipt) for receipt in receipts]
    return [end.outcome for end in ends if end is not None]


@pytest.mark.parametrize("workers", [1, 3])
def test_all_attempts_in_suite_order(workers: int, tmp_path: Path) -> None:
    bench = workbench(tmp_path, OracleAdapter())
    folder = folder_for(bench, tmp_path, attempts=2)
    done = execute(bench, folder, TASKS, workers=workers)
    assert [(each.receipt.task_id, each.receipt.attempt.index) for each in done.attempts] == [
        (task.id, index) for task in TASKS for index in (1, 2)
    ]
    assert (done.resumed, done.refused, done.stopped) == (0, 0, False)
    assert list((folder.path / "begun").iterdir()) == []
    for each in done.attempts:
        assert folder.finished(each.receipt.task_id, each.receipt.attempt) == each


def test_finished_attempts_are_not_run_again(tmp_path: Path) -> None:
    bench = workbench(tmp_path, OracleAdapter())
    folder = folder_for(bench, tmp_path)
    first = execute(bench, folder, TASKS, workers=1)
    again = workbench(tmp_path, OracleAdapter(), grader=BrokenGrader([GradeFailedError("must not be called")] * 9))
    second = execute(again, folder, TASKS, workers=1)
    assert second.attempts == first.attempts
    assert second.resumed == 3


def test_an_infrastructure_error_is_tried_again_and_stays_in_tries(tmp_path: Path) -> None:
    bench = workbench(tmp_path, OracleAdapter(), grader=BrokenGrader([GradeFailedError("once")]))
    folder = folder_for(bench, tmp_path)
    first = execute(bench, folder, TASKS, workers=1)
    assert outcomes(tuple(each.receipt for each in first.attempts)) == ["infra_error", "graded", "graded"]
    second = execute(bench, folder, TASKS, workers=1)
    assert outcomes(tuple(each.receipt for each in second.attempts)) == ["graded"] * 3
    assert second.attempts[0].tries == (first.attempts[0].receipt,)
    assert second.resumed == 2


def test_cut_off_starts_stand_in_tries(tmp_path: Path) -> None:
    bench = workbench(tmp_path, OracleAdapter())
    folder = folder_for(bench, tmp_path)
    assert [folder.begin(TASKS[0].id, Attempt(index=1, of=1)) for _ in range(2)] == [0, 1]
    done = execute(bench, folder, TASKS, workers=1)
    assert outcomes(done.attempts[0].tries) == ["interrupted", "interrupted"]
    assert outcomes(done.attempts[1].tries) == []


def test_a_kill_between_finishing_and_forgetting_counts_nothing_twice(tmp_path: Path) -> None:
    bench = workbench(tmp_path, OracleAdapter(), grader=BrokenGrader([GradeFailedError("once")]))
    folder = folder_for(bench, tmp_path)
    one = Attempt(index=1, of=1)
    folder.begin(TASKS[0].id, one)
    failed = run_attempt(bench, TASKS[0], one)
    folder.finish(TASKS[0].id, FinishedAttempt(receipt=failed.receipt, observed=failed.observed))
    (folder.path / "begun" / f"{TASKS[0].id}.1.0").write_bytes(b"x")  # as if the kill had come before it was removed
    done = execute(bench, folder, TASKS, workers=1)
    assert outcomes(done.attempts[0].tries) == ["infra_error"]
    assert list((folder.path / "begun").iterdir()) == []


def spend(folder: Path, cost: str) -> None:
    """Let the stored attempts of a run have cost something."""
    for path in folder.glob("attempts/*.json"):
        text = path.read_text()
        assert '"cost_usd":0,' in text
        path.write_text(text.replace('"cost_usd":0,', f'"cost_usd":{cost},'))


def test_nothing_starts_once_the_budget_is_spent(tmp_path: Path) -> None:
    bench = workbench(tmp_path, OracleAdapter())
    folder = folder_for(bench, tmp_path)
    execute(bench, folder, TASKS[:1], workers=1)
    spend(folder.path, "0.5")
    done = execute(bench, folder, TASKS, workers=1, budget=Decimal("0.5"))
    assert outcomes(tuple(each.receipt for each in done.attempts)) == ["graded", "refused", "refused"]
    assert (done.refused, done.stopped) == (2, False)
    assert done.attempts[1].observed == Observed(wall_ms=0, cost_usd=0, python="3.11.0")
    more = execute(bench, folder, TASKS, workers=1, budget=Decimal("0.6"))
    assert outcomes(tuple(each.receipt for each in more.attempts)) == ["graded"] * 3
    assert outcomes(more.attempts[1].tries) == ["refused"]


def test_stopping_keeps_what_is_finished(tmp_path: Path) -> None:
    bench = workbench(tmp_path, Starter())

    def program(spec: Spec, work: Path, stdin: bytes) -> Outcome:
        del spec, work, stdin
        if len(sandbox.asked) == 2:
            bench.cancel.set()
            return ended(None, limit="cancelled")
        return ended()

    sandbox = FakeSandbox(program)
    bench = dataclasses.replace(bench, sandbox=sandbox)
    folder = folder_for(bench, tmp_path)
    done = execute(bench, folder, TASKS, workers=1)
    assert (len(done.attempts), done.stopped) == (1, True)
    assert len(list((folder.path / "begun").iterdir())) == 1
    resumed = execute(workbench(tmp_path, Starter()), folder, TASKS, workers=1)
    assert resumed.resumed == 1
    assert outcomes(resumed.attempts[1].tries) == ["interrupted"]


def test_the_first_error_stops_the_rest(tmp_path: Path) -> None:
    started = threading.Semaphore(0)

    def program(spec: Spec, work: Path, stdin: bytes) -> Outcome:
        del spec, work, stdin
        started.release()
        raise SandboxUnavailableError("no bubblewrap here")

    bench = workbench(tmp_path, Starter(), sandbox=FakeSandbox(program))
    folder = folder_for(bench, tmp_path, attempts=50)
    with pytest.raises(SandboxUnavailableError):
        execute(bench, folder, TASKS, workers=2)
    assert bench.cancel.is_set()
    assert list((folder.path / "attempts").iterdir()) == []
    assert sum(started.acquire(blocking=False) for _ in range(150)) <= 4


def test_a_damaged_attempt_is_named_and_not_run_over(tmp_path: Path) -> None:
    bench = workbench(tmp_path, OracleAdapter())
    folder = folder_for(bench, tmp_path)
    execute(bench, folder, TASKS, workers=1)
    path = folder.path / "attempts" / f"{TASKS[1].id}.1.json"
    path.write_bytes(path.read_bytes()[:-5])
    with pytest.raises(StoreError, match="remove it to run that attempt again"):
        execute(bench, folder, TASKS, workers=1)
    path.unlink()
    assert execute(bench, folder, TASKS, workers=1).resumed == 2


def test_progress_is_told_in_steps_that_add_up(tmp_path: Path) -> None:
    told: list[Progress] = []
    bench = workbench(tmp_path, OracleAdapter())
    folder = folder_for(bench, tmp_path)
    execute(bench, folder, TASKS[:1], workers=1)
    execute(bench, folder, TASKS, workers=2, listener=told.append)
    assert {(each.total, each.resumed) for each in told} == {(3, 1)}
    assert [each.done for each in told] == sorted(each.done for each in told)
    assert told[-1].done == 3
    assert told[-1].running == ()
    assert told[0].seconds_left is None
    assert told[-1].seconds_left == 0
    assert [each.last for each in told if each.last] == [f"{task.id} #1" for task in TASKS[1:]] or len(told) >= 4


def test_a_receipt_without_an_end_is_not_finished() -> None:
    bare = Receipt(
        run_id=TINY.suite_hash,
        task_id=TASKS[0].id,
        task_hash=TASKS[0].task_hash,
        attempt=Attempt(index=1, of=1),
        journal_head=TINY.suite_hash,
        spine_head=TINY.suite_hash,
        spine=(),
        events=(),
    )
    assert end_of(bare) is None
    assert end_of(msgspec.structs.replace(bare, events=(AttemptEnd(seq=0, outcome="graded"),))) is not None
