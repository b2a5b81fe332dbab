"""What is said of a reliability receipt: one level in one answer, and nothing of what was not reached."""

from __future__ import annotations

from pathlib import Path

import pytest

from tallystick.flows.reliability import receipt_bytes
from tallystick.flows.run import RunRequest, run
from tallystick.runner.mock import StochasticMockAdapter
from tallystick.suites.loading import load_suite
from tallystick.trust.signing import Signer
from tests.attacks_on_floors.kit import FloorForgery
from tests.attacks_on_floors.lies import coordination_edited
from tests.unit.cli.conftest import Tally

FLOOR = ("run", "golden-v1", "--agent", "mock", "--out", "r.json", "--reliability")


@pytest.mark.parametrize(
    ("honest", "edited", "arithmetic"),
    [
        ('"k":2', '"k":5', "no      not reached: the receipt does not hold"),
        ('"pass_caret_k":1', '"pass_caret_k":0.9', "FAILED  step 12, floor, rates and intervals from verdicts"),
    ],
)
def test_an_edited_receipt_has_one_level_and_no_yes(
    tally: Tally, tmp_path: Path, honest: str, edited: str, arithmetic: str
) -> None:
    tally(*FLOOR, "2")
    text = (tmp_path / "r.json").read_text()
    assert text.count(honest) == 1
    (tmp_path / "r.json").write_text(text.replace(honest, edited))
    said = tally("bench", "reliability-verify", "r.json")
    assert said.code == 1
    assert "running the suite's tests" not in said.err
    assert "overall      : HASH_MISMATCH" in said.out
    assert "checked here (level claimed):" in said.out
    assert "HASH_MISMATCH, level claimed: derived pass^2 100 %" in said.out
    assert "  bytes         FAILED  step 4, receipt hash\n" in said.out
    assert f"  arithmetic    {arithmetic}\n" in said.out
    assert "  tests re-run  no      not reached: no graders were run\n" in said.out
    assert "  - file_io_read_write                         derived 2/2\n" in said.out
    assert "yes" not in said.out
    assert "✓" not in said.out
    assert max(map(len, said.out.splitlines())) <= 80


def test_an_honest_receipt_was_reached_as_far_as_its_level(tally: Tally) -> None:
    tally(*FLOOR, "2")
    said = tally("bench", "reliability-verify", "r.json", "--no-exec").out
    assert "checked here (level rederived):\n  bytes         yes\n  arithmetic    yes\n" in said
    assert "✓ file_io_read_write" in said
    assert said.endswith("MATCH, level rederived: pass^2 100 %, 5 of 5 tasks\n")


def test_a_partial_receipt_whose_coordination_differs_names_that_step(tally: Tally, tmp_path: Path) -> None:
    request = RunRequest(load_suite("golden-v1"), StochasticMockAdapter(0), tmp_path / "state", attempts=3, limit=2)
    data = receipt_bytes(run(request), Signer.generate())[2]
    forgery = FloorForgery.of(data, "resigned", "hash")
    coordination_edited(forgery)
    (tmp_path / "r.json").write_bytes(forgery.bytes())
    said = tally("bench", "reliability-verify", "r.json", "--no-exec").out
    assert "overall      : COORDINATION_DIVERGED" in said
    assert "  arithmetic    FAILED  step 11, coordination\n" in said
    assert "of the bundle: step 8, version, order, limits" in said


def test_a_gate_without_an_agent_says_how_a_gate_is_asked(tally: Tally) -> None:
    said = tally("bench", "gate", "golden-v1")
    assert said.code == 2
    assert "tally bench gate golden-v1 -- my-orchestrator" in said.err


def test_one_attempt_is_compared_with_nothing(tally: Tally) -> None:
    one = "one attempt at each task: nothing to compare it with, so this floor is the pass rate"
    for said in (tally(*FLOOR, "1"), tally("verify", "r.json", "--no-exec")):
        assert said.code == 0, said.err
        assert one in said.out
        assert "deterministic" not in said.out
        assert "identical" not in said.out
