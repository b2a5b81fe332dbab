"""`tally eval` on telemetry: what is printed, kept and refused, and that exit codes agree with it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tallystick.records.eval_run import parse_eval_run
from tallystick.suites.loading import load_suite
from tests.unit.cli.conftest import Tally

TASKS = [task.id for task in load_suite("golden-smoke-v1").tasks]
GOOD: dict[str, Any] = {
    "duration_s": 60,
    "turns_used": 3,
    "tokens_input": 10,
    "tokens_output": 10,
    "cost_usd": 0.25,
    "tests_run": 2,
    "tests_passed": 2,
    "tests_failed": 0,
    "completion_signals_checked": 1,
    "completion_signals_passed": 1,
}


def write(path: Path, *changes: dict[str, Any]) -> Path:
    """Telemetry of every task of the smoke tier, the first ones changed."""
    attempts = [{"task_id": name, **GOOD} for name in TASKS]
    for attempt, change in zip(attempts, changes, strict=False):
        attempt.update(change)
    path.write_text(json.dumps(attempts))
    return path


@pytest.fixture
def good(tmp_path: Path) -> Path:
    return write(tmp_path / "t.json")


def test_telemetry_is_scored_and_claimed_everywhere(tally: Tally, good: Path, tmp_path: Path) -> None:
    said = tally("eval", "run", "t.json")
    assert said.code == 0, said.err
    assert said.out.startswith("golden score 0.7000, claimed  (smoke)\n")
    assert "unjudged: at most 0.7 is possible" in said.out
    assert "claimed: the word of whoever wrote the telemetry" in said.out
    assert "no regression, as claimed" in said.out
    assert json.loads(tally("eval", "report", "--json").out)["regressions_checked"] is False
    (saved,) = (tmp_path / ".tally" / "eval" / "runs").glob("eval_run_*.json")
    assert f"saved .tally/eval/runs/{saved.name}" in said.out
    assert parse_eval_run(saved.read_bytes()).level == "claimed"
    for command in (("report",), ("failures",), ("explain", TASKS[0])):
        shown = tally("eval", *command)
        assert shown.code == 0, shown.err
        assert "claimed" in shown.out or "declared" in shown.out
        assert "derived]" not in shown.out


def test_everything_fits_a_terminal_without_colour(tally: Tally, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    write(tmp_path / "t.json", {"tests_run": 3, "tests_failed": 1}, {"completion_signals_passed": 0})
    for command in (
        ("run", "t.json", "--compare"),
        ("run", "t.json", "--compare"),
        ("report",),
        ("failures",),
        ("explain", TASKS[0]),
    ):
        said = tally("eval", *command)
        assert max(map(len, said.out.splitlines())) <= 80, said.out
        assert "\033" not in said.out


def test_failures_stand_in_columns_with_one_blank_line_between_parts(tally: Tally, tmp_path: Path) -> None:
    write(tmp_path / "t.json", {"tests_run": 3, "tests_failed": 1}, {"completion_signals_passed": 0})
    assert tally("eval", "run", "t.json").code == 0
    said = tally("eval", "failures").out
    rows = [line for line in said.splitlines() if line.startswith("  smoke-")]
    assert len({line.index(name) for line, name in zip(rows, ("test_regression", "incomplete"), strict=True)}) == 1
    assert len({line.index(why) for line, why in zip(rows, ("1 test ", "0 of 1"), strict=True)}) == 1
    write(tmp_path / "t.json")
    assert tally("eval", "run", "t.json").code == 0
    for text in (said, tally("eval", "failures").out):
        assert "\n\n\n" not in text


def test_a_saved_evaluation_that_names_no_file_is_no_bug(tally: Tally, good: Path, tmp_path: Path) -> None:
    assert tally("eval", "run", good.name).code == 0
    (saved,) = (tmp_path / ".tally" / "eval" / "runs").glob("*.json")
    saved.write_bytes(saved.read_bytes().replace(b'"name":"t.json"', b'"name":"t\\u0000.json"'))
    said = tally("eval", "explain", TASKS[0])
    assert (said.code, said.out) == (2, "")
    assert "no file has such a name" in said.err


def test_telemetry_of_no_task_names_its_file(tally: Tally, tmp_path: Path) -> None:
    (tmp_path / "t.json").write_text('{"task_id":"nowhere"}')
    for command in (("run", "t.json"), ("explain", "nowhere", "t.json")):
        said = tally("eval", *command)
        assert said.code == 2
        assert said.err.startswith("tally: t.json: telemetry speaks of the task nowhere")


def test_a_regression_is_the_first_thing_said_of_safety(tally: Tally, tmp_path: Path) -> None:
    write(tmp_path / "t.json", {"tests_run": 3, "tests_failed": 1})
    said = tally("eval", "run", "t.json")
    assert "golden score 0.0000" in said.out
    assert "1 attempt broke what passed before" in said.out
    assert f"{TASKS[0]}  test_regression   1 test failed" in tally("eval", "failures").out


def test_compare_prints_the_difference(tally: Tally, good: Path, tmp_path: Path) -> None:
    assert "vs previous: there is none" in tally("eval", "run", "t.json", "--compare", "--no-save").out
    tally("eval", "run", "t.json")
    write(good, {"completion_signals_passed": 0})
    said = tally("eval", "run", "t.json", "--compare")
    assert "vs previous: -0.0" in said.out
    assert "a golden score has no interval; what a difference can show: tally compare A B" in said.out
    assert "compares a run with itself" not in said.out
    tree = json.loads(tally("eval", "run", "t.json", "--compare", "--json").out)
    assert tree["previous"]["delta"] == 0
    assert tree["previous"]["alike"] is True


def test_an_agent_whose_attempts_are_resumed_is_not_compared_with_itself_unsaid(tally: Tally) -> None:
    line = ("eval", "run", "--tier", "smoke", "--agent", "mock", "--no-exec", "--compare")
    first = tally(*line)
    assert first.code == 0, first.err
    assert "resumed" not in first.out
    again = tally(*line)
    assert f"resumed {len(TASKS)} finished attempts; for new attempts: --fresh" in again.out
    assert "both are of the same attempts, so this compares a run with itself" in again.out
    tree = json.loads(tally(*line, "--json").out)
    assert (tree["resumed"], tree["previous"]["same_attempts"]) == (len(TASKS), True)
    fresh = tally(*line, "--fresh").out
    assert "resumed" not in fresh
    assert "with itself" not in fresh


def test_a_suite_of_no_tier_says_where_its_tasks_count(tally: Tally, bundle: Path) -> None:
    said = tally("eval", "run", "b.json", "--no-exec").out
    assert "(smoke)\n" in said.splitlines(keepends=True)[0]
    assert "5 tasks of golden-v1 count at the tier they name (smoke)" in said
    tree = json.loads(tally("eval", "run", "b.json", "--no-exec", "--json").out)
    assert (tree["per_tier"]["stretch"], tree["not_scored"]) == (0, ["standard", "stretch", "adversarial"])


def test_regressions_that_nobody_looked_for_are_not_called_absent(tally: Tally, bundle: Path, good: Path) -> None:
    said = tally("eval", "run", bundle.name, good.name, "--no-exec")
    assert said.code == 0, said.err
    assert "no regression known; of telemetry as claimed" in " ".join(said.out.split())
    assert "no regression found" not in said.out


def test_explain_names_the_tasks_there_are(tally: Tally, good: Path) -> None:
    said = tally("eval", "explain", "nonesuch", "t.json")
    assert said.code == 2
    assert f"no attempt at a task 'nonesuch' in t.json; there are: {TASKS[0]}, {TASKS[1]}" in said.err


@pytest.mark.parametrize("command", [("ci",), ("compare", "b.json"), ("show",), ("suite", "stats"), ("eval", "run")])
def test_a_receipt_in_place_of_a_bundle_names_its_command(tally: Tally, bundle: Path, command: tuple[str, ...]) -> None:
    tally("run", "golden-v1", "--agent", "mock", "--out", "r.json", "--reliability", "2", "--task", "file_io_read_write")
    said = tally(*command, "r.json")
    assert said.code == 2
    assert "a reliability receipt; what reads it: tally bench reliability-verify FILE" in said.err
    back = tally("bench", "reliability-verify", "b.json")
    assert (back.code, "a bundle; what reads it: tally verify FILE" in back.err) == (2, True)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('[{"not": 1}]', "[0]: the member 'not' is none of telemetry"),
        ("[1]", "[0]: expected a JSON object per attempt"),
    ],
)
def test_odd_telemetry_names_its_attempt(tally: Tally, tmp_path: Path, text: str, says: str) -> None:
    (tmp_path / "odd.json").write_text(text)
    assert says in tally("eval", "run", "odd.json").err


def test_no_save_keeps_nothing(tally: Tally, good: Path, tmp_path: Path) -> None:
    assert "not saved" in tally("eval", "run", "t.json", "--no-save").out
    assert not (tmp_path / ".tally" / "eval" / "runs").exists()
    said = tally("eval", "report")
    assert (said.code, said.out) == (2, "")
    assert "make one with: tally eval run" in said.err


def test_a_run_id_picks_an_evaluation(tally: Tally, good: Path, tmp_path: Path) -> None:
    first = json.loads(tally("eval", "run", "t.json", "--json").out)["run_id"]
    write(good, {"completion_signals_passed": 0})
    second = json.loads(tally("eval", "run", "t.json", "--json").out)["run_id"]
    assert first != second
    assert "failed" not in tally("eval", "report", "--run-id", first).out
    assert json.loads(tally("eval", "failures", "--json").out)["run_id"] == second
    assert json.loads(tally("eval", "failures", "--run-id", first, "--json").out)["failures"] == []
    assert (
        json.loads(tally("eval", "report", "--json").out)["score"]
        < json.loads(tally("eval", "report", "--run-id", first, "--json").out)["score"]
    )


def test_explain_as_json(tally: Tally, good: Path) -> None:
    tree = json.loads(tally("eval", "explain", TASKS[0], "t.json", "--json").out)
    (attempt,) = tree["attempts"]
    assert attempt["passed"] is True
    assert {number["provenance"] for number in attempt["numbers"]} == {"declared"}


@pytest.mark.parametrize(
    ("args", "code", "says"),
    [
        (("run",), 2, "nothing to score: no finished run of smoke, standard, stretch"),
        (("run", "--tier", "smoke"), 2, "tally eval run --tier smoke -- my-agent"),
        (("run", "--tier", "gold"), 2, "no tier 'gold'"),
        (("run", "spec.yaml"), 2, "a YAML spec is not what tally eval takes"),
        (("run", "nowhere.json"), 2, "nowhere.json does not exist"),
        (("run", "."), 2, "is a folder"),
        (("run", "t.json", "--tier", "stretch"), 2, "nothing to score"),
        (("run", "t.json", "t.json", "--", "agent"), 2, "sources and an agent"),
        (("run", "t.json", "-k", "3"), 2, "-k is for running an agent"),
        (("run", "--agent", "nop", "--suite", "golden-v1"), 2, "--suite is for sources"),
        (("report",), 2, "no saved evaluation"),
        (("report", "--run-id", "x"), 2, "no saved evaluation 'x'"),
        (("failures", "--tier", "smoke"), 2, "are for --cheats"),
        (("failures", "--cheats", "--run-id", "x"), 2, "give either"),
        (("explain", "x"), 2, "no saved evaluation"),
        (("explain", "x", "t.json"), 2, "no attempt at a task 'x'"),
    ],
)
def test_refusals_are_one_line(tally: Tally, good: Path, args: tuple[str, ...], code: int, says: str) -> None:
    said = tally("eval", *args)
    assert (said.code, said.out) == (code, "")
    assert says in said.err
    assert len(said.err.splitlines()) == 1


def test_a_bundle_that_was_changed_is_not_scored(tally: Tally, bundle: Path) -> None:
    assert tally("eval", "run", str(bundle)).code == 0
    bundle.write_bytes(bundle.read_bytes().replace(b'"pass_rate":1', b'"pass_rate":0'))
    said = tally("eval", "run", str(bundle))
    assert (said.code, said.out) == (1, "")
    assert "does not verify" in said.err


def test_a_mock_is_labelled(tally: Tally, bundle: Path) -> None:
    said = tally("eval", "run", str(bundle), "--no-save")
    assert "mock: proves suite and harness, measures no agent" in said.out
    assert "rederived" in said.out


def test_a_damaged_evaluation_is_one_line(tally: Tally, good: Path, tmp_path: Path) -> None:
    tally("eval", "run", "t.json")
    (saved,) = (tmp_path / ".tally" / "eval" / "runs").iterdir()
    saved.write_bytes(saved.read_bytes()[:-10])
    for command in ("report", "failures"):
        said = tally("eval", command)
        assert said.code == 2
        assert "is damaged" in said.err
        assert len(said.err.splitlines()) == 1


def test_a_damaged_evaluation_is_told_before_an_agent_runs(tally: Tally, good: Path, tmp_path: Path) -> None:
    tally("eval", "run", "t.json")
    (saved,) = (tmp_path / ".tally" / "eval" / "runs").iterdir()
    saved.write_bytes(saved.read_bytes()[:-10])
    said = tally("eval", "run", "--compare", "--tier", "smoke", "--agent", "mock")
    assert (said.code, "is damaged" in said.err) == (2, True)
    assert not (tmp_path / ".tally" / "runs").exists()


def test_names_are_completed(tally: Tally, good: Path) -> None:
    from tallystick.cli.completing import answer  # noqa: PLC0415

    run_id = json.loads(tally("eval", "run", "t.json", "--json").out)["run_id"]
    assert run_id in answer(["words", "eval", "report", "--run-id", ""])
    assert "adversarial" in answer(["words", "eval", "run", "--tier", ""])
    assert TASKS[0] in answer(["words", "eval", "explain", ""])
