"""The Python interface of the golden harness, and the names that the package exports."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import tallystick
from tallystick import EvalHarness, EvalResult, FailureCategory, TaskTelemetry, compute_efficiency, evaluate_task
from tallystick.core.errors import InputError
from tests.unit.scoring.evidence import task
from tests.unit.scoring.test_claimed import told

OF = task()


def test_the_exported_names() -> None:
    assert tallystick.__all__ == [
        "BenchRunner",
        "BenchVerifier",
        "EvalHarness",
        "EvalResult",
        "FailureCategory",
        "MockReplayAdapter",
        "ReliabilityReceipt",
        "ReliabilityRunner",
        "ReliabilityVerifier",
        "Signer",
        "StochasticMockReplayAdapter",
        "SubmissionBundle",
        "TaskTelemetry",
        "VerificationResult",
        "__version__",
        "build_golden_suite_v1",
        "compute_efficiency",
        "evaluate_task",
    ]
    assert all(getattr(tallystick, name) for name in tallystick.__all__)


@pytest.fixture
def harness(tmp_path: Path) -> EvalHarness:
    return EvalHarness(tmp_path / ".tally", sandbox=None)


def result(harness: EvalHarness, *members: dict[str, Any], **how: Any) -> EvalResult:
    return harness.evaluate([evaluate_task(OF, told(**each), **how) for each in members])


def test_the_golden_value_of_efficiency() -> None:
    attempts = [told(cost_usd=1, duration_s=200, completion_signals_passed=number) for number in (2, 2, 0)]
    assert compute_efficiency(attempts) == Decimal("0.366667")
    assert compute_efficiency(attempts, passed=2) == Decimal("0.366667")
    assert compute_efficiency(attempts, passed=0) == 0
    with pytest.raises(InputError, match="passes 4 of 3"):
        compute_efficiency(attempts, passed=4)


def test_a_perfect_unjudged_run_and_a_judged_one(harness: EvalHarness) -> None:
    assert result(harness, {}, {}).score == Decimal("0.7")
    assert result(harness, {}, {}, quality=1).score == 1
    assert result(harness, {}, quality=0.5).components.code_quality == Decimal("0.5")


def test_judging_only_one_of_three_counts_the_others_as_nothing(harness: EvalHarness) -> None:
    rated = [evaluate_task(OF, told(), quality=quality) for quality in (1.0, None, None)]
    found = harness.evaluate(rated)
    assert found.components.code_quality == Decimal("0.333333")
    assert found.document.judged == 1


def test_a_regression_does_not_reach_a_later_run_of_the_same_harness(harness: EvalHarness) -> None:
    broken = result(harness, {}, {"tests_run": 2, "tests_failed": 1})
    assert (broken.score, broken.components.safety) == (0, 0)
    assert broken.failures[0].taxonomy == FailureCategory.test_regression
    again = result(harness, {}, {})
    assert (again.score, again.components.safety) == (Decimal("0.7"), 1)


def test_missing_telemetry_lowers_reliability_and_is_named(harness: EvalHarness) -> None:
    whole = {name: value for name, value in vars_of(told()).items() if name != "turns_used"}
    found = harness.evaluate([evaluate_task(OF, TaskTelemetry(**whole)), evaluate_task(OF, None)])
    assert found.components.reliability == Decimal("0.5")
    assert [each.members for each in found.document.missing] == [("turns_used",), ("all",)]
    assert found.level == "claimed"


def vars_of(telemetry: TaskTelemetry) -> dict[str, Any]:
    return {name: getattr(telemetry, name) for name in telemetry.__struct_fields__}


@pytest.mark.parametrize("quality", [float("nan"), -0.1, 1.1, True])
def test_no_quality(quality: float) -> None:
    with pytest.raises(InputError, match="between 0 and 1"):
        evaluate_task(OF, told(), quality=quality)


def test_telemetry_of_another_task() -> None:
    with pytest.raises(InputError, match="is none of the task"):
        evaluate_task(OF, told(task_id="other"))


def test_nothing_to_score_is_an_error(harness: EvalHarness) -> None:
    with pytest.raises(InputError, match="nothing to score"):
        harness.evaluate([])


def test_adversarial_tasks_count_when_they_are_handed_over(harness: EvalHarness) -> None:
    import msgspec  # noqa: PLC0415

    hard = msgspec.structs.replace(OF, tier="adversarial")
    found = harness.evaluate([evaluate_task(hard, told()), evaluate_task(OF, told(completion_signals_passed=0))])
    assert (found.per_tier.adversarial, found.per_tier.smoke) == (1, 0)
    assert found.document.tier == "smoke+adversarial"


def test_results_are_kept_and_files_are_scored(harness: EvalHarness, tmp_path: Path) -> None:
    path = tmp_path / "t.json"
    path.write_text('{"task_id":"smoke-001-changelog-entry","completion_signals_checked":1,"completion_signals_passed":1}')
    found = harness.evaluate_sources(path)
    assert found.tasks_evaluated == len(harness.tasks("smoke"))
    assert harness.save(found).parent == tmp_path / ".tally" / "eval" / "runs"
    one = harness.evaluate_task("smoke-001-changelog-entry", None, quality=Fraction(1, 2))
    assert one.quality == Fraction(1, 2)
    with pytest.raises(InputError, match="no tier has a task 'x'"):
        harness.evaluate_task("x", None)
