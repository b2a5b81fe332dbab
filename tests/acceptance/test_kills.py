"""A kill at any moment loses at most the attempts that were running, and the same command goes on from there."""

from __future__ import annotations

import itertools
import json
import os
import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tallystick.records.containers import open_bundle
from tallystick.records.journal import AttemptEnd
from tallystick.records.state import parse_finished
from tests.acceptance.killing import (
    SCRIPT,
    Work,
    leftover_groups,
    leftover_processes,
    leftover_scratch,
    wait_for_attempt,
    write_suite,
)
from tests.acceptance.support import CLI, environment, needs_bwrap, receipts, tally
from tests.support.waiting import wait_until

pytestmark = [needs_bwrap, pytest.mark.xdist_group("acceptance")]

KILLS = 200


def tries_of(bundle: Path) -> list[str]:
    """The last outcome of every earlier try in a bundle."""
    with bundle.open("rb") as stream:
        file = open_bundle(stream)
        hashes = [each.receipt_hash for result in file.bundle.task_results for each in result.tries]
        ends = [file.receipt(digest).events[-1] for digest in hashes]
    return [end.outcome for end in ends if isinstance(end, AttemptEnd)]


def prepare(folder: Path) -> tuple[Path, dict[str, str]]:
    (folder / "agent.sh").write_text(f": {folder}\n{SCRIPT}")
    return write_suite(folder / "suite"), environment(folder / "home")


@pytest.mark.slow
def test_two_hundred_kills(tmp_path: Path) -> None:
    suite, env = prepare(tmp_path)
    undisturbed = Work(tmp_path / "undisturbed", env, suite)
    seconds = undisturbed.finish()
    expected = receipts(undisturbed.folder / "b.json")
    assert len(expected) == 40
    chance, kills, interrupted, pids = random.Random(2), 0, 0, set[int]()
    for number in itertools.count():
        work = Work(tmp_path / f"round{number}", env, suite)
        while kills < KILLS and work.kill_after(chance.uniform(0.02, 0.6 * seconds)):
            kills += 1
            work.check_finished()
        if kills < KILLS:
            seconds *= 0.9  # it had ended before the kill: the machine was busier when a whole run was timed
        interrupted += finished_well(work, expected)
        pids |= work.pids
        if kills == KILLS or number % 10 == 0:
            assert verdict(work.folder, suite, env) == ("MATCH", "regraded")
        if kills == KILLS:
            break
    assert interrupted > 0, "no kill of two hundred met an attempt under way"
    undisturbed.finish()  # ends what a kill left asleep, if it came while a sandbox was being started
    wait_until(lambda: leftover_processes(str(tmp_path)) == [])
    assert leftover_groups(pids) == []


def finished_well(work: Work, expected: dict[tuple[str, int], bytes]) -> int:
    """Finish a run and check what came of it; the number of interrupted tries in its bundle."""
    work.finish()
    work.check_finished()
    bundle = work.folder / "b.json"
    assert receipts(bundle) == expected
    assert len(work.seen) == 40
    assert leftover_scratch(work.folder) == []
    tries = tries_of(bundle)
    assert set(tries) <= {"interrupted"}
    stored = [parse_finished(data) for _, _, data in work.seen.values()]
    assert len(tries) == sum(len(finished.tries) for finished in stored)
    return len(tries)


def verdict(folder: Path, suite: Path, env: dict[str, str], name: str = "b.json") -> tuple[str, str]:
    done = tally(["verify", name, "--suite", str(suite), "--json"], cwd=folder, env=env)
    report = json.loads(done.stdout)
    return report["status"], report["level"]


def test_nothing_of_a_killed_run_goes_on(tmp_path: Path) -> None:
    suite, env = prepare(tmp_path)
    (tmp_path / "agent.sh").write_text(f': {tmp_path}\n[ "$(cat in.txt)" != beta ] || sleep 60\n{SCRIPT}')
    work = Work(tmp_path / "work", env, suite)
    with work.start() as process:
        wait_for_attempt(work.folder, "beta")
        process.kill()
    (run,) = (work.folder / ".tally/runs").iterdir()
    assert len(list((run / "attempts").iterdir())) >= 7
    wait_until(lambda: leftover_processes(str(tmp_path)) == [])


@pytest.fixture
def slow_run(tmp_path: Path) -> tuple[Path, list[str], dict[str, str]]:
    """A run whose second task takes two seconds."""
    suite, env = prepare(tmp_path)
    (tmp_path / "agent.sh").write_text(f': {tmp_path}\n[ "$(cat in.txt)" != beta ] || sleep 2\n{SCRIPT}')
    line = ["run", str(suite), "--agent", f"scripted:{tmp_path / 'agent.sh'}", "--out", "b.json", "--workers", "1"]
    return suite, line, env


@contextmanager
def started(line: list[str], folder: Path, env: dict[str, str]) -> Iterator[subprocess.Popen[str]]:
    """`tally LINE`, ended when the block ends, however that comes about."""
    folder.mkdir(exist_ok=True)
    command = [sys.executable, "-P", "-c", CLI, *line]
    with subprocess.Popen(command, cwd=folder, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_leaves_a_run_that_resumes(
    number: signal.Signals, slow_run: tuple[Path, list[str], dict[str, str]], tmp_path: Path
) -> None:
    suite, line, env = slow_run
    work = tmp_path / "work"
    with started(line, work, env) as process:
        wait_for_attempt(work, "beta")
        process.send_signal(number)
        _, said = process.communicate(timeout=60)
    assert process.returncode == 128 + number, said
    assert "Traceback" not in said
    assert "resume: tally run" in said
    assert not (work / "b.json").exists()
    wait_until(lambda: leftover_processes(str(tmp_path)) == [])
    done = tally(line, cwd=work, env=env)
    assert done.returncode == 0, done.stderr
    assert tries_of(work / "b.json") == ["interrupted"]
    assert verdict(work, suite, env) == ("MATCH", "regraded")


def test_one_run_by_two_processes_is_refused(slow_run: tuple[Path, list[str], dict[str, str]], tmp_path: Path) -> None:
    _, line, env = slow_run
    work = tmp_path / "work"
    with started(line, work, env) as process:
        wait_for_attempt(work, "beta")
        process.send_signal(signal.SIGSTOP)  # so that it is still at work, however long the second takes to start
        second = tally(line, cwd=work, env=env)
        process.send_signal(signal.SIGCONT)
        assert second.returncode == 2
        assert "another process is working on the run" in second.stderr
        assert "Traceback" not in second.stderr
        process.communicate(timeout=60)
    assert process.returncode == 0


def test_two_runs_share_a_state_folder(slow_run: tuple[Path, list[str], dict[str, str]], tmp_path: Path) -> None:
    suite, line, env = slow_run
    work = tmp_path / "work"
    with started(line, work, env) as process:
        other = tally(["run", str(suite), "--agent", "oracle", "-k", "3", "--out", "o.json"], cwd=work, env=env)
        assert other.returncode == 0, other.stderr
        _, said = process.communicate(timeout=60)
    assert process.returncode == 0, said
    for name in ("b.json", "o.json"):
        assert verdict(work, suite, env, name) == ("MATCH", "regraded")
    assert len(list((work / ".tally/runs").iterdir())) == 2


def test_a_second_interrupt_stops_at_once(slow_run: tuple[Path, list[str], dict[str, str]], tmp_path: Path) -> None:
    _, line, env = slow_run
    work = tmp_path / "work"
    with started(line, work, env) as process:
        wait_for_attempt(work, "beta")
        for _ in range(2):
            os.kill(process.pid, signal.SIGINT)
        _, said = process.communicate(timeout=60)
    assert process.returncode == 130, said
    assert "Traceback" not in said
    wait_until(lambda: leftover_processes(str(tmp_path)) == [])


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("command", ["demo", "suite check golden-v1", "task check --suite golden-v1"])
def test_a_signal_leaves_no_temporary_folder(command: str, number: signal.Signals, tmp_path: Path) -> None:
    env, temporary = environment(tmp_path / "home", TMPDIR=str(tmp_path / "tmp")), tmp_path / "tmp"
    temporary.mkdir()
    with started(command.split(), tmp_path / "work", env) as process:
        wait_for_attempt(temporary)
        process.send_signal(number)
        _, said = process.communicate(timeout=60)
    assert process.returncode == 128 + number, said
    assert "Traceback" not in said
    assert list(temporary.glob("tally-*")) == []
    wait_until(lambda: leftover_processes(str(tmp_path)) == [])


def test_what_a_killed_check_left_goes_away_with_the_next_one(tmp_path: Path) -> None:
    env, temporary = environment(tmp_path / "home", TMPDIR=str(tmp_path / "tmp")), tmp_path / "tmp"
    temporary.mkdir()
    with started(["demo"], tmp_path / "work", env) as process:
        wait_for_attempt(temporary)
        process.kill()
        process.communicate()
    assert list(temporary.glob("tally-demo-*")) != []
    assert tally(["demo"], cwd=tmp_path, env=env).returncode == 0
    assert list(temporary.glob("tally-*")) == []
