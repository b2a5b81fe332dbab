"""Receipts about runs of k attempts: made, written, verified, held in memory, and the gate that compares decisions."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from tallystick import ReliabilityReceipt, ReliabilityRunner, ReliabilityVerifier
from tallystick.cli.main import run as tally
from tallystick.core import limits
from tallystick.core.errors import InputError
from tallystick.flows.gate import GateStatus, judge_gate
from tallystick.flows.reliability import publish_reliability, receipt_bytes, verify_reliability_path
from tallystick.flows.run import RunDone, RunRequest, run
from tallystick.flows.verify import VerifyRequest
from tallystick.records.base import UNSET
from tallystick.records.journal import AgentStart, AttemptBegin, AttemptEnd, Decision, Event
from tallystick.records.report import Status
from tallystick.runner.adapters import NopAdapter
from tallystick.runner.executor import Executed
from tallystick.runner.mock import MockAdapter, StochasticMockAdapter
from tallystick.scoring.coordination import first_difference
from tallystick.suites.loading import load_suite
from tallystick.trust.signing import Signer
from tests.attacks_on_floors.kit import FloorForgery
from tests.support.forge import Form

SIGNER = Signer.generate()


def made(folder: Path, k: int, seed: int | None = None) -> RunDone:
    adapter = MockAdapter() if seed is None else StochasticMockAdapter(seed)
    return run(RunRequest(load_suite("golden-v1"), adapter, folder / "state", attempts=k))


def test_a_self_test_says_that_k_attempts_are_one(tmp_path: Path) -> None:
    published = publish_reliability(made(tmp_path, 2), SIGNER, tmp_path / "r")
    receipt = published.receipt
    assert published.path == tmp_path / "r.json"
    assert (receipt.pass_at_1, receipt.pass_caret_k, receipt.flip_rate, receipt.k) == (1, 1, 0, 2)
    assert receipt.information_says == "deterministic: k attempts carry one attempt's information"
    report = verify_reliability_path(VerifyRequest(published.path, execute=False))
    assert (report.status, report.level, report.information) == (Status.MATCH, "rederived", receipt.information_says)


def test_one_attempt_has_no_flips(tmp_path: Path) -> None:
    receipt, _, data = receipt_bytes(made(tmp_path, 1), None)
    assert (receipt.flip_rate, len(receipt.rates)) == (UNSET, 1)
    report = ReliabilityVerifier(load_suite("golden-v1")).verify(ReliabilityReceipt(data))
    assert report.status is Status.UNSIGNED
    assert report.passed_all == 5


def test_floor_and_ceiling_of_attempts_that_differ(tmp_path: Path) -> None:
    receipt = receipt_bytes(made(tmp_path, 3, seed=0), SIGNER)[0]
    passes = [task.passes for task in receipt.task_results]
    assert passes == [0, 3, 2, 2, 0]
    assert [str(rate.pass_caret) for rate in receipt.rates] == ["0.466667", "0.333333", "0.2"]
    assert [str(rate.pass_at) for rate in receipt.rates] == ["0.466667", "0.6", "0.6"]
    assert str(receipt.flip_rate) == "0.266667"
    assert receipt.information == "unexplained"


def test_in_memory_as_on_disk(tmp_path: Path) -> None:
    suite = load_suite("golden-v1")
    receipt = ReliabilityRunner(suite, MockAdapter(), k=2).run(SIGNER)
    receipt.write(tmp_path / "r.json")
    again = ReliabilityReceipt.read(tmp_path / "r.json")
    assert again.document == receipt.document
    assert ReliabilityVerifier(suite).verify(again).status is Status.MATCH


@pytest.mark.parametrize("k", [0, limits.FLOOR_ATTEMPTS + 1])
def test_numbers_of_attempts_that_cannot_be_told_of(k: int) -> None:
    with pytest.raises(InputError, match="give a number of attempts from 1 to 100"):
        ReliabilityRunner(load_suite("golden-v1"), MockAdapter(), k=k)


def test_another_suite_than_the_readers(tmp_path: Path) -> None:
    data = receipt_bytes(made(tmp_path, 1), SIGNER)[2]
    report = ReliabilityVerifier(load_suite("golden-smoke-v1")).verify(ReliabilityReceipt(data))
    assert report.status is Status.HASH_MISMATCH
    assert report.level == "claimed"


# The gate.

BEGIN = AttemptBegin(seq=0, task_hash="sha256:" + "0" * 64, workspace="sha256:" + "0" * 64)  # type: ignore[arg-type]
START = AgentStart(seq=1, adapter="command", instruction="sha256:" + "0" * 64)  # type: ignore[arg-type]
END = AttemptEnd(seq=9, outcome="graded")


def lane(*decided: str) -> tuple[Event, ...]:
    return (BEGIN, START, *(Decision(seq=2 + at, name="schedule", text=text) for at, text in enumerate(decided)), END)


def gated(folder: Path, *lanes: tuple[Event, ...]) -> RunDone:
    """A run of one task whose attempts have these journals."""
    request = RunRequest(load_suite("golden-v1"), NopAdapter(), folder, attempts=len(lanes), limit=1, sandbox="none")
    done = run(request)
    attempts = tuple(
        msgspec.structs.replace(one, receipt=msgspec.structs.replace(one.receipt, events=events))
        for one, events in zip(done.executed.attempts, lanes, strict=True)
    )
    return dataclasses.replace(done, executed=Executed(attempts, 0, 0, stopped=False))


def test_the_same_decisions_pass(tmp_path: Path) -> None:
    report = judge_gate(gated(tmp_path, lane("a", "b"), lane("a", "b"), lane("a", "b")))
    assert (report.status, report.passed, report.k, report.rows[0].decisions) == (GateStatus.IDENTICAL, True, 3, 2)


@pytest.mark.parametrize(
    ("other", "says"),
    [
        (lane("a", "c"), 'decision 2: attempt 1 has schedule "b", attempt 2 has schedule "c"'),
        (lane("a"), 'decision 2: attempt 1 has schedule "b", attempt 2 has nothing more'),
        (lane("a", "b", "c"), 'decision 3: attempt 1 has nothing more, attempt 2 has schedule "c"'),
    ],
)
def test_the_first_other_decision_is_named(tmp_path: Path, other: tuple[Event, ...], says: str) -> None:
    report = judge_gate(gated(tmp_path, lane("a", "b"), other))
    assert (report.status, report.passed, report.rows[0].reason) == (GateStatus.DIVERGED, False, says)


def test_no_decision_is_vacuous(tmp_path: Path) -> None:
    report = judge_gate(gated(tmp_path, lane(), lane()))
    assert (report.status, report.passed) == (GateStatus.VACUOUS, False)


def test_an_attempt_without_a_grade_is_unfinished(tmp_path: Path) -> None:
    broken = (*lane("a")[:-1], AttemptEnd(seq=9, outcome="infra_error", cause="provider_failed"))
    report = judge_gate(gated(tmp_path, lane("a"), broken))
    assert (report.status, report.rows[0].attempt) == (GateStatus.UNFINISHED, 2)
    assert "provider_failed" in report.rows[0].reason


def test_lanes_that_part_before_the_first_decision() -> None:
    refused = (BEGIN, AttemptEnd(seq=1, outcome="refused", cause="budget_exceeded"))
    parted = first_difference(lane("a"), refused)
    assert parted is not None
    assert (parted.position, parted.one, parted.other) == (0, "agent.start", "nothing more")


# The command line.


def test_run_and_eval_write_the_same_kind_of_receipt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    assert tally(["run", "golden-v1", "--agent", "mock", "--reliability", "2", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["receipt"] == "golden-v1-mock-reliability.json"
    assert (told["k"], told["pass_caret_k"], told["coordination_ok"]) == (2, 1, True)
    assert tally(["eval", "--reliability", "2", "--agent", "mock"]) == 0
    assert "floor pass^2 100 %" in capsys.readouterr().out
    for file in (told["receipt"], "reliability.json"):
        assert tally(["bench", "reliability-verify", "--no-exec", file]) == 0
        out = capsys.readouterr().out
        assert "overall      : MATCH" in out
        assert "deterministic: k attempts carry one attempt's information" in out
        assert "mock: proves suite and harness, measures no agent" in out
    assert tally(["bench", "reliability-check", "reliability.json", "--task", "file_io_read_write", "--attempt", "2"]) == 0
    assert "byte for byte the same" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("suite", "agent"),
    [("golden-v1", "cheat:cancelled_counted"), ("golden-v1", "ladder:regex-patch"), ("golden-standard-v1", "partial:half")],
)
def test_a_receipt_names_which_of_several_self_tests_is_made_again(
    suite: str, agent: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    words = [suite, "--agent", agent, "--reliability", "2", "--limit", "1", "--out", "r.json", "--sandbox", "none"]
    assert tally(["run", *words]) == 0
    assert tally(["bench", "reliability-check", "r.json", "--sandbox", "none"]) == 0
    assert "byte for byte the same" in capsys.readouterr().out


def no_attempt(forgery: FloorForgery) -> None:
    forgery.bundle.bundle["task_results"] = []
    forgery.document["task_results"] = []


def second_attempts_left_out(forgery: FloorForgery) -> None:
    forgery.bundle.bundle["task_results"] = [one for one in forgery.bundle.results if one["attempt"]["index"] == 1]


def one_task_only(forgery: FloorForgery) -> None:
    forgery.bundle.bundle["task_results"] = forgery.bundle.results[:2]


def floor_edited(forgery: FloorForgery) -> None:
    forgery.document["pass_caret_k"] = 0


@pytest.mark.parametrize("lie", [no_attempt, second_attempts_left_out, one_task_only, floor_edited])
@pytest.mark.parametrize("form", ["edited", "resigned"])
def test_nothing_is_made_again_from_a_receipt_that_does_not_verify(
    lie: Callable[[FloorForgery], None],
    form: Form,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    forgery = FloorForgery.of(receipt_bytes(made(tmp_path, 2), SIGNER)[2], form)
    lie(forgery)
    (tmp_path / "r.json").write_bytes(forgery.bytes())
    assert tally(["bench", "reliability-check", "r.json", "--attempt", "2"]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("tally: r.json does not verify: ")
    assert said.err.count("\n") == 1


def test_no_receipt_takes_the_sandbox_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    words = ["golden-v1", "--agent", "nop", "--reliability", "2", "--task", "file_io_read_write", "--out", "r.json"]
    assert tally(["run", *words, "--sandbox", "none"]) == 0
    assert tally(["bench", "reliability-check", "r.json"]) == 2
    assert "made with --sandbox none" in capsys.readouterr().err
    assert tally(["bench", "reliability-check", "r.json", "--sandbox", "none"]) == 0


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["--reliability", "3", "-k", "2"], "disagree"),
        (["--reliability", "0"], "--reliability"),
        (["--reliability", "101"], "from 1 to 100"),
        (["--reliability", "2", "--shard", "1/2"], "a whole run"),
        (["--reliability", "2", "--container", "tally"], "one .json file"),
        (["--reliability", "2", "--out", "r.tally"], "one .json file"),
    ],
)
def test_options_that_cannot_be_meant(
    args: list[str], says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert tally(["run", "golden-v1", "--agent", "mock", *args]) == 2
    assert says in capsys.readouterr().err
    assert list(tmp_path.glob("*.json")) == []


def test_a_bundle_is_no_receipt_and_shows_its_floor(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    assert tally(["run", "golden-v1", "--agent", "stochastic-mock", "-k", "3", "--out", "b.json"]) == 0
    assert tally(["verify", "--no-exec", "b.json"]) == 0
    assert "floor  : pass^3 1/5 tasks (all attempts passed), pass@3 3/5 (one did)" in capsys.readouterr().out
    for command in ("reliability-verify", "reliability-check"):
        assert tally(["bench", command, "b.json"]) == 2
        assert "Traceback" not in capsys.readouterr().err
