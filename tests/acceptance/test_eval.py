"""`tally eval` as a person uses it: real attempts in real sandboxes, and what others try to get a score for.

The dishonest cases are those by which the golden harness of the predecessor was fooled: each has its exit code and its words.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tallystick.suites.loading import packaged_folder
from tests.acceptance.support import environment, needs_bwrap, tally
from tests.unit.cli.test_eval import GOOD

pytestmark = [needs_bwrap, pytest.mark.xdist_group("acceptance")]

TASKS = ("file_io_read_write", "refactor_rename_symbol", "lint_fix_unused_import")
SOLVED = {name: {"task_id": name, **GOOD} for name in TASKS}


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    return environment(tmp_path / "home", NO_COLOR="1")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A working folder whose smoke tier is three tasks of golden-v1."""
    place = tmp_path / "work"
    for name in TASKS:
        shutil.copytree(packaged_folder("golden-v1") / "smoke" / name, place / ".tally" / "eval" / "golden" / "smoke" / name)
    return place


def evaluate(folder: Path, env: dict[str, str], *args: str) -> dict[str, Any]:
    done = tally(["eval", "run", "--tier", "smoke", "--json", *args], cwd=folder, env=env)
    assert done.returncode == 0, done.stderr
    tree: dict[str, Any] = json.loads(done.stdout)
    return tree


def told(folder: Path, **changes: dict[str, Any]) -> str:
    attempts = [{**attempt, **changes.get(name, {})} for name, attempt in SOLVED.items()]
    (folder / "told.json").write_text(json.dumps(attempts))
    return "told.json"


def test_an_agent_is_run_and_scored(folder: Path, env: dict[str, str]) -> None:
    solve = "cp -r /agent/solution/. . 2>/dev/null; exit 0"
    script = folder / "agent.sh"
    script.write_text(f"#!/bin/sh\n{solve}\n")
    script.chmod(0o755)
    found = evaluate(folder, env, "-k", "2", "--", "./agent.sh")
    assert (found["attempts"], found["tasks_evaluated"], found["level"]) == (6, 3, "rederived")
    assert found["self_test"] is False
    again = evaluate(folder, env, "--compare")
    assert again["previous"]["alike"] is True
    assert again["previous"]["delta"] == 0
    assert {failure["taxonomy"] for failure in again["failures"]} == {"incomplete"}


def test_oracle_nop_and_a_cheat(folder: Path, env: dict[str, str]) -> None:
    assert evaluate(folder, env, "--agent", "oracle")["score"] == 0.7
    assert evaluate(folder, env, "--agent", "nop")["score"] == 0
    cheat = ["--agent", "cheat:tests_deleted", "--task", "refactor_rename_symbol", "--state", "other", "--out", "c.json"]
    found = tally(["run", ".tally/eval/golden", *cheat], cwd=folder, env=env)
    assert found.returncode == 0, found.stderr
    done = tally(["eval", "run", "c.json", "--suite", ".tally/eval/golden", "--tier", "smoke"], cwd=folder, env=env)
    assert done.returncode == 0, done.stderr
    assert "golden score 0.0000" in done.stdout
    assert "1 attempt broke what passed before" in done.stdout
    said = tally(["eval", "failures"], cwd=folder, env=env).stdout
    assert ["refactor_rename_symbol", "test_regression", "own_tests"] in [line.split()[:3] for line in said.splitlines()]
    why = tally(["eval", "explain", "refactor_rename_symbol", "c.json", "--suite", ".tally/eval/golden"], cwd=folder, env=env)
    assert "failure = test_regression  [re-run]" in why.stdout


@pytest.mark.parametrize(
    ("change", "category"),
    [
        ({"cost_usd": 1.5}, "incomplete"),
        ({"duration_s": 10_000}, "timeout"),
        ({"files_modified": ["setup.py"]}, "scope_creep"),
        ({"files_modified": ["README.md"]}, "conflict"),
    ],
)
def test_over_budget_and_out_of_scope_has_not_passed(
    folder: Path, env: dict[str, str], change: dict[str, Any], category: str
) -> None:
    found = evaluate(folder, env, told(folder, refactor_rename_symbol=change))
    assert found["passed"] == 2
    assert [failure["taxonomy"] for failure in found["failures"]] == [category]


def test_missing_telemetry_lowers_reliability_and_is_named(folder: Path, env: dict[str, str]) -> None:
    (folder / "told.json").write_text(json.dumps([SOLVED["file_io_read_write"]]))
    found = evaluate(folder, env, "told.json")
    assert found["components"]["reliability"] == 0.5
    assert {each["task"] for each in found["missing"]} == {"refactor_rename_symbol", "lint_fix_unused_import"}
    assert (found["passed"], found["attempts"]) == (1, 3)


@pytest.mark.parametrize(
    ("member", "value", "says"),
    [
        ("cost_usd", "NaN", "told.json: cost_usd: NaN is no number"),
        ("cost_usd", "-5.0", "told.json: cost_usd: -5.0 is negative"),
        ("duration_s", "-1", "told.json: duration_s: -1 is negative"),
        ("tests_passed", "3", "told.json: tests_passed: 3 is more than tests_run (2)"),
        ("crash_count", "-5", "told.json: the member 'crash_count' is none of telemetry"),
        ("completion_signals_checked", '"1"', "told.json: completion_signals_checked: expected a number, not text"),
        ("tests_failed", "null", "told.json: tests_failed: null; leave the member out"),
    ],
)
def test_figures_that_cannot_be_true_give_no_score(
    folder: Path, env: dict[str, str], member: str, value: str, says: str
) -> None:
    text = json.dumps({**SOLVED["file_io_read_write"], member: "@"}).replace('"@"', value)
    (folder / "told.json").write_text(text)
    done = tally(["eval", "run", "told.json"], cwd=folder, env=env)
    assert (done.returncode, done.stdout) == (2, "")
    assert says in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert not (folder / ".tally" / "eval" / "runs").exists()


def test_a_regression_of_an_earlier_evaluation_does_not_reach_a_later_one(folder: Path, env: dict[str, str]) -> None:
    broken = evaluate(folder, env, told(folder, file_io_read_write={"tests_run": 3, "tests_failed": 1}))
    assert (broken["score"], broken["components"]["safety"]) == (0, 0)
    later = evaluate(folder, env, told(folder))
    assert (later["score"], later["components"]["safety"], later["regressions"]) == (0.7, 1, 0)


def test_nothing_to_score_is_no_zero(folder: Path, env: dict[str, str]) -> None:
    for args in ([], ["--tier", "smoke"], ["--tier", "adversarial"]):
        done = tally(["eval", "run", *args], cwd=folder, env=env)
        assert (done.returncode, done.stdout) == (2, "")
        assert "nothing to score" in done.stderr
    assert not (folder / ".tally" / "eval" / "runs").exists()
