"""Telemetry of others: when an attempt passed, what was measured, and which category its failure has."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from tallystick.records.eval_run import FailureCategory
from tallystick.records.telemetry import TaskTelemetry
from tallystick.scoring.claimed import claims_to_pass, clues_of_telemetry, measured_of_telemetry
from tallystick.scoring.taxonomy import classify
from tests.unit.scoring.evidence import task

GOOD: dict[str, Any] = {
    "task_id": "a-task",
    "duration_s": 10,
    "turns_used": 2,
    "tokens_input": 1,
    "tokens_output": 1,
    "cost_usd": 0.1,
    "tests_run": 1,
    "tests_passed": 1,
    "tests_failed": 0,
    "completion_signals_checked": 2,
    "completion_signals_passed": 2,
}


def told(**members: Any) -> TaskTelemetry:
    return TaskTelemetry(**{**GOOD, **members})


OF = task(owned_files=("app/", "README.md"), protected_files=("tests/",))


def test_signals_and_tests_decide() -> None:
    assert claims_to_pass(OF, told(files_modified=("app/core.py", "./README.md")))
    assert measured_of_telemetry(told()).cost_usd == Fraction(1, 10)


@pytest.mark.parametrize(
    ("members", "category"),
    [
        ({"tests_run": 2, "tests_failed": 1}, "test_regression"),
        ({"duration_s": 300.001}, "timeout"),
        ({"files_modified": ("setup.py",)}, "scope_creep"),
        ({"files_modified": ("/etc/passwd",)}, "scope_creep"),
        ({"files_modified": ("app/../../x",)}, "scope_creep"),
        ({"files_modified": ("tests/test_a.py",)}, "conflict"),
        ({"completion_signals_passed": 1, "files_read": ("a", "b"), "files_modified": ("app/a",)}, "orientation_miss"),
        ({"completion_signals_passed": 1, "files_read": ("a",), "files_modified": ("app/a",)}, "incomplete"),
        ({"completion_signals_checked": 0, "completion_signals_passed": 0}, "incomplete"),
        ({"cost_usd": 0.51}, "incomplete"),
    ],
)
def test_what_goes_beyond_the_task_has_not_passed(members: dict[str, Any], category: str) -> None:
    telemetry = told(**members)
    assert not claims_to_pass(OF, telemetry)
    assert classify(clues_of_telemetry(OF, telemetry)).category == category


@pytest.mark.parametrize("member", ["tests_failed", "completion_signals_checked", "completion_signals_passed"])
def test_without_what_tells_of_success_there_is_none(member: str) -> None:
    telemetry = TaskTelemetry(**{name: value for name, value in GOOD.items() if name != member})
    assert not claims_to_pass(OF, telemetry)
    assert not measured_of_telemetry(telemetry).complete
    assert classify(clues_of_telemetry(OF, telemetry)).category is FailureCategory.incomplete


def test_no_telemetry_at_all() -> None:
    assert not measured_of_telemetry(None).complete
    assert "no telemetry" in classify(clues_of_telemetry(OF, None)).details
