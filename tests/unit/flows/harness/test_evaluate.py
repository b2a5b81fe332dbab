"""Evaluating real runs of the smoke tier, and telemetry beside them: one denominator, one formula, one agent."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from tallystick.core.errors import InputError
from tallystick.flows.evaluate import EvalRequest, evaluate_sources
from tallystick.flows.harness.baselines import Baselines
from tallystick.flows.harness.cheats import classify_cheats, confusion
from tallystick.flows.harness.explain import explain
from tallystick.flows.harness.found import find_sources
from tallystick.flows.harness.sources import NotVerifiedError, UnfinishedError
from tallystick.flows.harness.suites import KnownSuites
from tallystick.flows.run import RunRequest, run
from tallystick.records.base import UNSET
from tallystick.records.eval_run import EvalRun, FailureCategory
from tallystick.records.task import Tier
from tallystick.runner.adapters import Adapter, CheatAdapter, NopAdapter, OracleAdapter
from tallystick.suites.loading import load_suite, packaged_folder
from tests.acceptance.support import needs_bwrap

pytestmark = needs_bwrap
OVERRIDES = ("refactor_rename_symbol", "file_io_read_write")


@pytest.fixture(scope="module")
def overridden(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A state folder whose smoke tier is two tasks of golden-v1, with finished runs of oracle, nop and a cheat."""
    state = tmp_path_factory.mktemp("eval") / ".tally"
    for name in OVERRIDES:
        shutil.copytree(packaged_folder("golden-v1") / "smoke" / name, state / "eval" / "golden" / "smoke" / name)
    return state


def ran(state: Path, adapter: Adapter, **how: Any) -> Path:
    suite = KnownSuites(state / "eval" / "golden").tier("smoke")
    assert suite is not None
    return run(RunRequest(suite=suite, adapter=adapter, state=state, **how)).folder


@pytest.fixture(scope="module")
def oracle(overridden: Path) -> Path:
    return ran(overridden, OracleAdapter())


@pytest.fixture(scope="module")
def nop(overridden: Path) -> Path:
    return ran(overridden, NopAdapter())


@pytest.fixture(scope="module")
def cheat(overridden: Path) -> Path:
    return ran(overridden, CheatAdapter("lookup_forgotten"), tasks=("refactor_rename_symbol",))


def scored(state: Path, *sources: Path, tiers: tuple[Tier, ...] = ("smoke",), **how: Any) -> EvalRun:
    return evaluate_sources(EvalRequest(sources=sources, state=state, tiers=tiers, **how))


def telemetry(task: str, **members: Any) -> dict[str, Any]:
    good = dict.fromkeys(("turns_used", "tokens_input", "tokens_output", "tests_run", "tests_passed"), 1)
    signals = {"completion_signals_checked": 1, "completion_signals_passed": 1}
    return {"task_id": task, "duration_s": 60, "cost_usd": 0.1, "tests_failed": 0, **good, **signals, **members}


Told = Callable[..., Path]


@pytest.fixture
def told(tmp_path: Path) -> Told:
    def write(*attempts: dict[str, Any]) -> Path:
        path = tmp_path / f"telemetry-{len(list(tmp_path.iterdir()))}.json"
        path.write_text(json.dumps(attempts))
        return path

    return write


def test_a_run_that_passes_everything_unjudged(overridden: Path, oracle: Path) -> None:
    found = scored(overridden, oracle)
    assert (found.score, found.passed, found.attempts, found.level) == (Decimal("0.7"), 2, 2, "rederived")
    assert found.failures is UNSET
    assert found.self_test
    assert found.per_tier.smoke == 1


def test_a_run_that_does_nothing(overridden: Path, nop: Path) -> None:
    found = scored(overridden, nop)
    assert found.score == 0
    assert found.failures is not UNSET
    assert {failure.taxonomy for failure in found.failures} == {"incomplete"}
    assert found.components.safety == 1


def test_one_regression_makes_the_score_nothing_and_only_of_its_own_run(overridden: Path, cheat: Path, oracle: Path) -> None:
    found = scored(overridden, cheat)
    assert found.failures is not UNSET
    broken = next(failure for failure in found.failures if failure.task == "refactor_rename_symbol")
    assert (broken.taxonomy, found.regressions, found.components.safety, found.score) == ("test_regression", 1, 0, 0)
    assert "behaviour/sum_command passed before" in broken.details
    assert scored(overridden, oracle).score == Decimal("0.7")


def test_what_a_partial_run_leaves_out_counts_as_not_passed(overridden: Path, cheat: Path) -> None:
    found = scored(overridden, cheat)
    assert (found.attempts, found.tasks_evaluated) == (2, 2)
    assert [(each.task, each.members) for each in found.missing] == [("file_io_read_write", ("all",))]
    assert any("partial run" in note for note in found.notes)


def test_without_running_anything_no_regression_is_known(overridden: Path, cheat: Path) -> None:
    kept = overridden / "eval" / "baselines"
    moved = kept.rename(kept.with_name("away")) if kept.exists() else None
    try:
        found = scored(overridden, cheat, sandbox=None)
    finally:
        if moved is not None:
            moved.rename(kept)
    assert not found.regressions_checked
    assert any("regressions were not looked for" in note for note in found.notes)
    assert found.failures is not UNSET
    assert all(failure.taxonomy != "test_regression" for failure in found.failures)


def test_a_damaged_baseline_is_made_anew(overridden: Path, cheat: Path) -> None:
    scored(overridden, cheat)
    for path in (overridden / "eval" / "baselines").iterdir():
        path.write_bytes(path.read_bytes().replace(b'"outcome":"pass"', b'"outcome":"fail"'))
    assert scored(overridden, cheat).regressions == 1


def test_evidence_of_two_agents_is_no_score(overridden: Path, nop: Path, oracle: Path) -> None:
    with pytest.raises(InputError, match="a score is of one agent"):
        scored(overridden, nop, oracle)


def test_the_same_attempt_counts_once(overridden: Path, nop: Path) -> None:
    with pytest.raises(InputError, match="the same attempt"):
        scored(overridden, nop, nop)


def test_no_attempt_at_the_tier(overridden: Path, nop: Path) -> None:
    with pytest.raises(InputError, match="nothing to score"):
        scored(overridden, nop, tiers=("stretch",))


def test_a_run_of_an_unknown_suite(overridden: Path, nop: Path, tmp_path: Path) -> None:
    shutil.copytree(nop, tmp_path / "runs" / nop.name)
    with pytest.raises(InputError, match="give it with --suite"):
        scored(tmp_path, tmp_path / "runs" / nop.name)


def test_the_newest_runs_of_the_last_agent_are_found(overridden: Path, oracle: Path, nop: Path, cheat: Path) -> None:
    suites = KnownSuites(overridden / "eval" / "golden")
    (found,) = find_sources(overridden, ("smoke",), suites)
    assert found in {oracle, nop}, "a partial run is no run of the tier"


def test_an_unfinished_run_is_named_and_not_found(overridden: Path, nop: Path, oracle: Path, tmp_path: Path) -> None:
    state = tmp_path / ".tally"
    shutil.copytree(overridden, state)
    copy = state / "runs" / nop.name
    next((copy / "attempts").iterdir()).unlink()
    with pytest.raises(UnfinishedError, match="1 of 2 attempts"):
        scored(state, copy)
    assert find_sources(state, ("smoke",), KnownSuites(state / "eval" / "golden")) == (state / "runs" / oracle.name,)


def test_telemetry_is_claimed_and_what_it_leaves_out_is_named(overridden: Path, told: Told) -> None:
    found = scored(overridden, told(telemetry("file_io_read_write")))
    assert found.level == "claimed"
    assert (found.attempts, found.passed) == (2, 1)
    assert found.components.reliability == Decimal("0.5")
    assert [each.task for each in found.missing] == ["refactor_rename_symbol"]


def test_telemetry_and_evidence_of_one_task_do_not_mix(overridden: Path, oracle: Path, told: Told) -> None:
    with pytest.raises(InputError, match="evidence and telemetry"):
        scored(overridden, oracle, told(telemetry("file_io_read_write")))


def test_telemetry_of_a_task_that_is_nowhere(overridden: Path, told: Told) -> None:
    with pytest.raises(InputError, match="which no tier has"):
        scored(overridden, told(telemetry("nowhere")))


def test_telemetry_in_the_state_folder_is_found_where_there_is_no_run(tmp_path: Path, told: Told) -> None:
    suites = KnownSuites(tmp_path / "eval" / "golden")
    with pytest.raises(InputError, match="nothing to score: no finished run of smoke"):
        find_sources(tmp_path, ("smoke",), suites)
    folder = tmp_path / "eval" / "golden" / "telemetry"
    folder.mkdir(parents=True)
    path = told(telemetry("smoke-001-changelog-entry")).rename(folder / "one.json")
    assert find_sources(tmp_path, ("smoke",), suites) == (path,)


def test_a_bundle_that_does_not_verify_is_not_scored(overridden: Path, tmp_path: Path, mock_bundle_bytes: bytes) -> None:
    path = tmp_path / "b.json"
    path.write_bytes(mock_bundle_bytes.replace(b'"pass_rate":1', b'"pass_rate":0'))
    with pytest.raises(NotVerifiedError, match="does not verify"):
        scored(overridden, path)


@pytest.fixture
def mock_bundle_bytes() -> bytes:
    from tallystick import BenchRunner, MockReplayAdapter  # noqa: PLC0415

    return BenchRunner(load_suite("golden-v1"), MockReplayAdapter()).run().to_bytes()


def test_explain_names_evidence_and_provenance(overridden: Path, cheat: Path, told: Told) -> None:
    request = EvalRequest(sources=(cheat,), state=overridden, tiers=("smoke",))
    (found,) = explain("refactor_rename_symbol", request)
    numbers = {number.name: number for number in found.numbers}
    assert (numbers["failure"].value, numbers["failure"].provenance) == ("test_regression", "re-run")
    assert "agent.end (exit 0)" in numbers["passed"].evidence
    assert numbers["seconds"].provenance == "declared"
    assert (numbers["check new_name_defined"].value, numbers["check behaviour"].value) == ("pass", "fail")
    with pytest.raises(InputError, match="no attempt at a task 'nowhere'"):
        explain("nowhere", request)
    (claimed,) = explain("file_io_read_write", EvalRequest((told(telemetry("file_io_read_write")),), overridden))
    assert {number.provenance for number in claimed.numbers} == {"declared"}


def test_a_suite_without_anything_to_execute_needs_no_baseline() -> None:
    suite = load_suite("golden-v1")
    baselines = Baselines(None, None)
    assert baselines.of(suite, suite.task("file_io_read_write")) is None
    assert baselines.problem is None


EXPECTED = {
    "alias_left_behind": "incomplete",
    "answers_hard_coded": "test_regression",
    "broken_off_midway": "test_regression",
    "cancelled_counted": "incomplete",
    "exit_zero_at_import": "test_regression",
    "inputs_bent_to_fit": "scope_creep",
    "lookup_forgotten": "test_regression",
    "replaced_everywhere": "test_regression",
    "scratch_left_behind": "scope_creep",
    "tests_deleted": "test_regression",
    "totals_only": "incomplete",
}


def test_a_judged_attempt_counts_and_one_that_is_not_counts_nothing(tmp_path: Path) -> None:
    state = tmp_path / ".tally"
    smoke = state / "eval" / "golden" / "smoke"
    for name in OVERRIDES:
        shutil.copytree(packaged_folder("golden-v1") / "smoke" / name, smoke / name)
    text = (smoke / "refactor_rename_symbol" / "task.md").read_text()
    (smoke / "refactor_rename_symbol" / "task.md").write_text(text.replace("---\n", "---\njudge: static-v1\n", 1))
    found = scored(state, ran(state, OracleAdapter()))
    assert found.judged == 1
    assert 0 < found.components.code_quality <= Decimal("0.5")
    assert found.score > Decimal("0.7")
    (judged,) = explain("refactor_rename_symbol", EvalRequest((state / "runs" / found.sources[0].name,), state))
    assert next(number.evidence for number in judged.numbers if number.name == "quality").startswith("the judgement")


@pytest.mark.slow
def test_categories_of_cheats(overridden: Path) -> None:
    suite = KnownSuites(overridden / "eval" / "golden").tier("smoke")
    assert suite is not None
    rows = classify_cheats([suite])
    assert {row.name: row.category for row in rows} == {name: FailureCategory(value) for name, value in EXPECTED.items()}
    table = confusion(rows)
    assert table["command"] == {FailureCategory.test_regression: 2}
    assert sum(sum(counts.values()) for counts in table.values()) == sum(len(row.stated) for row in rows)
