"""`tally run` and `tally bench run`: what is asked, what is refused before anything runs, what is said at the end."""

import dataclasses
import io
import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from tallystick.cli.run import RunOptions
from tallystick.cli.running import FLOWS, perform
from tallystick.cli.screen import Screen, Style
from tallystick.flows.run import RunDone, RunRequest
from tallystick.records.bundle import Bundle
from tallystick.records.containers import Container
from tallystick.runner.executor import Executed, ProgressListener
from tallystick.trust.signing import Signer
from tests.repo.project import SRC
from tests.support.cohort_suites import write_small
from tests.unit.cli.conftest import Tally

MOCK = ("run", "golden-v1", "--agent", "mock")


@pytest.mark.parametrize(
    ("args", "line"),
    [
        (("run", "golden-v1"), "no agent: give its command line, as in: tally run golden-v1 -- my-agent '{instruction}'"),
        (("run", "golden-v2", "--agent", "mock"), "did you mean golden-v1?"),
        ((*MOCK, "--workers", "0"), "--workers: give a number from 1"),
        ((*MOCK, "-k", "0"), "-k: give a number from 1"),
        ((*MOCK, "-k", "99999"), "-k: give a number from 1"),
        ((*MOCK, "--limit", "0"), "--limit: give a number from 1"),
        ((*MOCK, "--budget", "much"), "--budget 'much': give US dollars"),
        ((*MOCK, "--budget", "1e999999999"), "--budget '1e999999999': give US dollars"),
        ((*MOCK, "--budget", "1e-999999999"), "--budget '1e-999999999': give US dollars"),
        ((*MOCK, "--budget", "NaN"), "--budget 'NaN': give US dollars"),
        ((*MOCK, "--task", "nope"), "golden-v1 has no task 'nope'"),
        ((*MOCK, "--", "my-agent"), "either --agent mock or a command line after --, not both"),
        ((*MOCK, "--name", "x"), "speak of the command line after --, and there is none"),
        ((*MOCK, "my-agent"), "the agent's command line stands after --"),
        ((*MOCK, "--out", "."), "is a folder"),
        ((*MOCK, "--out", "x.json", "--container", "tally"), "disagree"),
        ((*MOCK, "--out", "file/x.json"), "not a folder; name another place with --out"),
        ((*MOCK, "--state", "file"), "not a folder; name another place with --state"),
        ((*MOCK, "--key", "nobody"), "nobody"),
        (("run", "golden-v1", "--", "no-such-program"), "'no-such-program' was not found"),
        (("run", "golden-v1", "--agent", "oracel"), "unknown agent 'oracel'"),
        (("run", "golden-v1", "--agent", "cheat:nope"), "'nope'"),
    ],
)
def test_a_mistake_is_one_line_and_leaves_nothing_behind(
    args: tuple[str, ...], line: str, tally: Tally, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    said = tally(*args)
    assert said.code == 2, said
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert said.err.startswith("tally: ")
    assert line in said.err
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root ignores permissions: it may write anywhere")
def test_a_folder_that_cannot_be_written_is_found_before_the_run(tally: Tally, tmp_path: Path) -> None:
    (tmp_path / "closed").mkdir(mode=0o500)
    assert "cannot write to the folder" in tally(*MOCK, "--out", "closed/b.json").err
    assert "cannot write to the folder" in tally(*MOCK, "--state", "closed/s").err


def test_no_bundle_is_written_over_its_suite(tally: Tally, tmp_path: Path) -> None:
    write_small(tmp_path / "small")
    before = (tmp_path / "small" / "suite.json").read_bytes()
    said = tally("run", "small", "--agent", "mock", "--out", "small/suite.json")
    assert (said.code, said.err) == (2, "tally: small/suite.json is what is read; name another file to write\n")
    assert (tmp_path / "small" / "suite.json").read_bytes() == before
    assert not (tmp_path / ".tally").exists()


def test_the_default_file_is_named_after_suite_and_agent(tally: Tally, tmp_path: Path) -> None:
    said = tally(*MOCK)
    assert said.code == 0
    assert (tmp_path / "golden-v1-mock.json").is_file()
    assert "passed 5/5, 95 % interval 56.6 % to 100 %" in said.out
    assert "mock: proves suite and harness, measures no agent" in said.out
    assert "next: tally verify golden-v1-mock.json" in said.out
    assert "made a signing key" in said.err
    assert max(map(len, (said.out + said.err).splitlines())) <= 80 + len(str(tmp_path / "config"))


def test_the_same_command_resumes_and_fresh_starts_anew(tally: Tally) -> None:
    tally(*MOCK)
    again = tally(*MOCK)
    assert "resumed 5 finished attempts" in again.out
    assert "made a signing key" not in again.err
    assert "resumed" not in tally(*MOCK, "--fresh").out


def test_a_floor_of_resumed_attempts_says_so(tally: Tally) -> None:
    floor = (*MOCK, "--reliability", "2")
    assert "resumed" not in tally(*floor).out
    assert "resumed 10 finished attempts; for new attempts: --fresh" in tally(*floor).out
    assert json.loads(tally(*floor, "--json").out)["resumed"] == 10
    assert "resumed" not in tally(*floor, "--fresh").out


def test_a_partial_run_says_so(tally: Tally) -> None:
    said = tally(*MOCK, "--task", "file_io_read_write")
    assert "partial run, 1 task only: no score of golden-v1, never publishable" in said.out


def test_a_failed_task_names_its_assertions(tally: Tally) -> None:
    said = tally("run", "golden-v1", "--agent", "stochastic-mock", "-k", "3", "--no-sign")
    assert "x failed: " in said.out
    assert "unsigned" in said.out


def test_quiet_prints_the_file_and_nothing_else(tally: Tally) -> None:
    tally(*MOCK)
    said = tally(*MOCK, "--quiet")
    assert (said.code, said.out, said.err) == (0, "golden-v1-mock.json\n", "")


def test_json_is_one_object(tally: Tally) -> None:
    said = tally(*MOCK, "--json", "--no-sign", "--container", "tally")
    found = json.loads(said.out)
    assert said.out.count("\n") == 1
    assert found["bundle"] == "golden-v1-mock.tally"
    assert (found["passed"], found["attempts"], found["self_test"], found["signed"], found["partial"]) == (
        5,
        5,
        True,
        False,
        False,
    )
    assert [task["passed"] for task in found["tasks"]] == [1] * 5


def test_a_dry_run_says_what_would_happen_and_does_nothing(tally: Tally, tmp_path: Path) -> None:
    agent = tmp_path / "agent.sh"
    agent.write_text("#!/bin/sh\n")
    agent.chmod(0o755)
    said = tally("run", "golden-v1", "-k", "3", "--limit", "2", "--dry-run", "--", "./agent.sh", "{instruction}")
    assert said.code == 0
    assert "would run golden-v1: 2 of 5 tasks x 3 = 6 attempts" in said.out
    assert "at most 6 USD" in said.out
    assert f"mounted {agent} as /agent/agent.sh, read-only" in " ".join(said.out.split())
    assert "golden-v1-agent.json, signed" in said.out
    assert said.out.endswith("nothing was run\n")
    assert [path.name for path in tmp_path.iterdir()] == ["agent.sh"]


def test_a_dry_run_says_what_is_named_and_not_mounted(tally: Tally, tmp_path: Path) -> None:
    for name in ("agent.sh", "options.toml", "plain.txt"):
        (tmp_path / name).write_text("#!/bin/sh\n")
        (tmp_path / name).chmod(0o755)
    (tmp_path / "data").mkdir()
    line = ("./agent.sh", "plain.txt", "data", "--config=options.toml", "--config=/usr", "--nothing=x")
    said = tally("run", "golden-v1", "--dry-run", "--", *line)
    assert "not mounted data, options.toml; what the agent needs, give with --mount" in " ".join(said.out.split())
    said = tally("run", "golden-v1", "--dry-run", "--mount", "data", "--mount", "options.toml", "--", *line)
    assert "not mounted" not in said.out


def test_a_run_says_what_it_mounts_before_it_starts(tally: Tally, tmp_path: Path) -> None:
    agent = tmp_path / "agent.sh"
    agent.write_text("#!/bin/sh\n")
    agent.chmod(0o755)
    said = tally("run", "golden-v1", "--limit", "1", "--sandbox", "none", "--", "./agent.sh")
    lines = said.err.splitlines()
    mounted = " ".join(said.err.split())
    assert f"mounted read-only: {agent} as /agent/agent.sh" in mounted
    assert mounted.index("mounted read-only") < mounted.index("finished")
    assert "cost unknown" in lines[-1] or "cost unknown" in said.err


def test_words_after_the_dashes_are_the_agents(tally: Tally) -> None:
    said = tally("run", "golden-v1", "--dry-run", "--name", "A", "--", "true", "--json", "--workers", "0", "--")
    assert said.code == 0, said.err
    assert "true --json --workers 0 --" in said.out


def test_bench_run_tries_the_suite_itself(tally: Tally) -> None:
    assert "agent       oracle" in tally("bench", "run", "golden-v1", "--dry-run").out
    assert "agent       mock" in tally("bench", "run", "golden-v1", "--dry-run", "--agent", "mock").out
    assert "agent       true" in tally("bench", "run", "golden-v1", "--dry-run", "--", "true").out


class Refusing:
    """Runs the mock and says that the budget refused two attempts."""

    publish = staticmethod(FLOWS.publish)

    def run(
        self, request: RunRequest, *, listener: ProgressListener | None = None, cancel: threading.Event | None = None
    ) -> RunDone:
        done = FLOWS.run(request, listener=listener, cancel=cancel)
        return dataclasses.replace(done, executed=dataclasses.replace(done.executed, refused=2))


class Stopped:
    """A run that was stopped after one attempt."""

    def run(
        self, request: RunRequest, *, listener: ProgressListener | None = None, cancel: threading.Event | None = None
    ) -> RunDone:
        return RunDone(Path("runs/x"), Executed(("one",), 0, 0, stopped=True), None, None, partial=False)  # type: ignore[arg-type]

    def publish(
        self, done: RunDone, signer: Signer | None, out: Path, container: Container | None = None
    ) -> tuple[Bundle, Path]:
        raise AssertionError("nothing to publish")


def performed(flows: Any, state: Path) -> tuple[int, str, str]:
    screen = Screen(io.StringIO(), io.StringIO(), Style(), Style())
    options = RunOptions(suite="golden-v1", agent="mock", sign=False, state=state, out=state / "b.json")
    code = perform(options, screen, flows)
    return code, screen.out.getvalue(), screen.err.getvalue()  # type: ignore[attr-defined]


def test_attempts_that_the_budget_refused_make_exit_2(tmp_path: Path) -> None:
    assert performed(Refusing(), tmp_path)[0] == 2


def test_a_stopped_run_says_how_to_resume(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["tally", "run", "golden-v1", "--fresh", "--", "a b", "--fresh"])
    code, out, err = performed(Stopped(), tmp_path)
    assert (code, out) == (130, "")
    assert "stopped; 1 finished attempt kept" in err
    assert err.endswith("resume: tally run golden-v1 -- 'a b' --fresh\n")


STUCK = """
import sys, time
from pathlib import Path
from tallystick.cli.run import RunOptions
from tallystick.cli.running import perform
from tallystick.cli.screen import open_screen
from tallystick.flows.run import RunDone
from tallystick.runner.executor import Executed

class Slow:
    def run(self, request, *, listener=None, cancel=None):
        print("ready", flush=True)
        while not (cancel.is_set() and obedient):
            time.sleep(0.05)
        return RunDone(Path("runs/x"), Executed((), 0, 0, stopped=True), None, None, partial=False)

obedient = sys.argv.pop() == "obedient"
sys.exit(perform(RunOptions(suite="golden-v1", agent="mock", sign=False, quiet=True), open_screen(), Slow()))
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize(("kind", "signals"), [("obedient", 1), ("deaf", 2)])
def test_the_first_signal_asks_and_the_second_kills(kind: str, signals: int, number: signal.Signals, tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", STUCK, kind],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(SRC)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == "ready\n"
        process.send_signal(number)
        said = process.stderr.readline() + process.stderr.readline()
        if signals == 2:
            process.send_signal(number)
        said += process.stderr.read()
        assert process.wait() == 128 + number
    assert "stopping: ending the attempts under way; Ctrl-C again stops at once" in said
    assert ("stopped at once" in said) is (signals == 2)
