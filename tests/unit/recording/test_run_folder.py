"""The folder of a run: found again by what it is, held by one process, whole after a kill."""

from __future__ import annotations

import multiprocessing
import threading
from pathlib import Path

import msgspec
import pytest

from tallystick.core.digest import Digest, sha256
from tallystick.recording.durable import SCRATCH, StoreError
from tallystick.recording.runs import RunBusyError, RunFolder, all_runs, find_run, new_run
from tallystick.records.bundle import Observed
from tallystick.records.evidence import Agent, Attempt, Config, Receipt
from tallystick.records.state import FinishedAttempt, RunState

RUN = sha256(b"run")
STATE = RunState(
    run_id=RUN,
    suite_hash=sha256(b"suite"),
    suite_version="tiny-v1",
    agent=Agent(adapter="command", name="a/../b ü", self_test=False, argv=("x",)),
    config=Config(sandbox="bwrap", network="none", policy="v1"),
    tasks=("one", "two"),
    attempts=2,
    ordinal=1,
    started_at=5,
)
FIRST = Attempt(index=1, of=2)


def finished(task_id: str = "one", index: int = 1) -> FinishedAttempt:
    attempt = Attempt(index=index, of=2)
    receipt = Receipt(
        run_id=RUN, task_id=task_id, task_hash=RUN, attempt=attempt, journal_head=RUN, spine_head=RUN, spine=(), events=()
    )
    return FinishedAttempt(receipt=receipt, observed=Observed(wall_ms=1))


def test_a_new_run_is_whole_and_found_again(tmp_path: Path) -> None:
    made = new_run(tmp_path, STATE)
    assert made.path.parent == tmp_path / "runs"
    assert sorted(path.name for path in made.path.iterdir()) == ["attempts", "begun", "run.json"]
    found = find_run(tmp_path, RUN, STATE.suite_version, STATE.tasks, STATE.attempts)
    assert found is not None
    assert (found.path, found.state) == (made.path, made.state)


@pytest.mark.parametrize(
    ("run_id", "suite", "tasks", "attempts"),
    [
        (sha256(b"x"), "tiny-v1", ("one", "two"), 2),
        (RUN, "cohort-of-tiny", ("one", "two"), 2),
        (RUN, "tiny-v1", ("one",), 2),
        (RUN, "tiny-v1", ("one", "two"), 3),
    ],
)
def test_another_run_is_not_found(run_id: Digest, suite: str, tasks: tuple[str, ...], attempts: int, tmp_path: Path) -> None:
    new_run(tmp_path, STATE)
    assert find_run(tmp_path, run_id, suite, tasks, attempts) is None


def test_the_newest_of_equal_runs_is_found(tmp_path: Path) -> None:
    ordinals = [new_run(tmp_path, STATE).state.ordinal for _ in range(11)]
    assert ordinals == list(range(1, 12))
    found = find_run(tmp_path, RUN, STATE.suite_version, STATE.tasks, STATE.attempts)
    assert found is not None
    assert found.state.ordinal == 11


def test_strange_things_among_the_runs_are_passed_over(tmp_path: Path) -> None:
    made = new_run(tmp_path, STATE)
    for name, data in (("empty", b""), ("broken", b"{"), ("other", b'{"_type":"tallystick/run/v9"}')):
        (tmp_path / "runs" / name).mkdir()
        (tmp_path / "runs" / name / "run.json").write_bytes(data)
    (tmp_path / "runs" / "file").touch()
    (tmp_path / "runs" / "bare").mkdir()
    found = find_run(tmp_path, RUN, STATE.suite_version, STATE.tasks, STATE.attempts)
    assert found is not None
    assert found.path == made.path


def test_half_made_folders_of_killed_processes_go(tmp_path: Path) -> None:
    left = tmp_path / "runs" / f"{SCRATCH}dead"
    (left / "begun").mkdir(parents=True)
    new_run(tmp_path, STATE)
    assert not left.exists()


def test_a_folder_that_a_kill_left_before_its_name_is_no_run(tmp_path: Path) -> None:
    made = new_run(tmp_path, STATE)
    made.path.rename(tmp_path / "runs" / f"{SCRATCH}dead")
    assert find_run(tmp_path, RUN, STATE.suite_version, STATE.tasks, STATE.attempts) is None
    assert list(all_runs(tmp_path)) == []


def test_many_threads_get_a_run_each(tmp_path: Path) -> None:
    made: list[RunFolder] = []
    threads = [threading.Thread(target=lambda: made.append(new_run(tmp_path, STATE))) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(run.state.ordinal for run in made) == list(range(1, 13))
    assert len({run.path for run in made}) == 12
    assert all((run.path / "run.json").is_file() for run in made)


def test_finished_attempts_are_read_back(tmp_path: Path) -> None:
    run = new_run(tmp_path, STATE)
    assert run.finished("one", FIRST) is None
    run.finish("one", finished())
    assert run.finished("one", FIRST) == finished()
    assert run.finished("one", Attempt(index=2, of=2)) is None
    tried = msgspec.structs.replace(finished(), tries=(finished().receipt,))
    run.finish("one", tried)
    assert run.finished("one", FIRST) == tried


def test_a_damaged_attempt_says_what_to_do(tmp_path: Path) -> None:
    run = new_run(tmp_path, STATE)
    run.finish("one", finished())
    (path,) = (run.path / "attempts").iterdir()
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(StoreError, match="remove it to run that attempt again"):
        run.finished("one", FIRST)


def test_starts_are_counted_per_try(tmp_path: Path) -> None:
    run = new_run(tmp_path, STATE)
    assert [run.begin("one", FIRST) for _ in range(3)] == [0, 1, 2]
    assert run.begin("two", FIRST) == 0
    assert run.begin("one", FIRST, 1) == 0
    assert run.begin("one", Attempt(index=2, of=2)) == 0
    run.forget_begun("one", FIRST)
    assert run.begin("one", FIRST) == 0
    assert run.begin("two", FIRST) == 1
    assert run.begin("one", Attempt(index=2, of=2)) == 1


def test_forgetting_spares_attempts_with_longer_numbers(tmp_path: Path) -> None:
    run = new_run(tmp_path, STATE)
    run.begin("one", Attempt(index=11, of=11))
    run.forget_begun("one", Attempt(index=1, of=11))
    assert run.begin("one", Attempt(index=11, of=11)) == 1


def hold(path: Path, held: object, release: object) -> None:
    with RunFolder(path, STATE).locked():
        held.set()  # type: ignore[attr-defined]
        release.wait(60)  # type: ignore[attr-defined]


def test_one_process_at_a_time(tmp_path: Path) -> None:
    run = new_run(tmp_path, STATE)
    context = multiprocessing.get_context("spawn")
    held, release = context.Event(), context.Event()
    process = context.Process(target=hold, args=(run.path, held, release))
    process.start()
    assert held.wait(60)
    with pytest.raises(RunBusyError, match="--fresh"), run.locked():
        pass
    release.set()
    process.join()
    with run.locked():
        pass


def test_taking_a_run_sweeps_its_scratch(tmp_path: Path) -> None:
    run = new_run(tmp_path, STATE)
    (run.path / "attempts" / f"{SCRATCH}x").touch()
    with run.locked():
        assert list((run.path / "attempts").iterdir()) == []


def test_a_state_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match="--state"):
        new_run(tmp_path / "file", STATE)
