"""Telemetry of others: what is read, what is missing, and what cannot be true, by member."""

from __future__ import annotations

import contextlib
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tallystick.core import limits
from tallystick.core.errors import InputError
from tallystick.records.telemetry import REQUIRED, TaskTelemetry, TelemetryFormatError, parse_telemetry

FULL = (
    b'{"task_id":"a","duration_s":1.5e1,"turns_used":3,"files_read":["x"],"files_modified":[],"tokens_input":1,'
    b'"tokens_output":2,"cost_usd":0.0123456789,"tests_run":4,"tests_passed":3,"tests_failed":1,'
    b'"completion_signals_checked":2,"completion_signals_passed":1,"compare_run_id":"r"}'
)


def test_every_member_is_read_exactly() -> None:
    (one,) = parse_telemetry(FULL)
    assert (one.seconds, one.cost) == (15, Fraction("0.0123456789"))
    assert (one.files_read, one.files_modified) == (("x",), ())
    assert one.missing == ()


def test_what_is_missing_is_named() -> None:
    (one,) = parse_telemetry(b'[{"task_id":"a"}]')
    assert one.missing == REQUIRED[1:]
    assert (one.seconds, one.cost) == (None, None)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (b'{"task_id":"a","cost_usd":NaN}', "cost_usd: NaN"),
        (b'{"task_id":"a","duration_s":-Infinity}', "duration_s: -Infinity"),
        (b'{"task_id":"a","cost_usd":-0.01}', "cost_usd: -0.01 is negative"),
        (b'{"task_id":"a","turns_used":-1}', "turns_used: -1 is negative"),
        (b'{"task_id":"a","turns_used":1.0}', "turns_used: expected a whole number"),
        (b'{"task_id":"a","turns_used":true}', "turns_used: expected a number"),
        (b'{"task_id":"a","cost_usd":"0.1"}', "cost_usd: expected a number, not text"),
        (b'{"task_id":"a","cost_usd":null}', "cost_usd: null"),
        (b'{"task_id":"a","cost_usd":1e999999999}', "cost_usd: 1e999999999"),
        (b'{"task_id":"a","cost_usd":' + b"1" * 100 + b"}", "cost_usd: a number of 100 characters"),
        (b'{"task_id":"a","tests_run":1,"tests_passed":2}', "tests_passed: 2 is more than tests_run (1)"),
        (b'{"task_id":"a","tests_run":3,"tests_passed":2,"tests_failed":2}', "tests_run: 3 tests"),
        (b'{"task_id":"a","completion_signals_checked":1,"completion_signals_passed":2}', "completion_signals_passed: 2"),
        (b'{"task_id":"a","files_read":[1]}', "files_read: expected a list"),
        (b'{"task_id":"a","files_read":[""]}', "files_read: a path of 0"),
        (b'{"task_id":"a","files_read":["\\ud800"]}', "files_read: '\\ud800' holds a lone surrogate"),
        (b'{"task_id":"a","compare_run_id":"\\udfff"}', "compare_run_id: '\\udfff' holds a lone surrogate"),
        (b'{"task_id":"a","files_modified":"a.py"}', "files_modified: expected a list"),
        (b'{"task_id":"a","cost":1}', "the member 'cost' is none of telemetry; did you mean cost_usd?"),
        (b'{"task_id":"a","compare_run_id":1}', "compare_run_id: expected a short text"),
        (b'{"task_id":"../a"}', "task_id: '../a'"),
        (b'{"task_id":7}', "task_id: '7'"),
        (b'{"cost_usd":1}', "task_id: missing"),
        (b'[{"task_id":"a"},{"task_id":"b","cost_usd":-1}]', "[1]: cost_usd: -1"),
        (b'{"task_id":"a","task_id":"b"}', "'task_id' stands twice"),
        (b"[]", "an empty array"),
        (b"[1]", "[0]: expected a JSON object"),
        (b'"a"', "expected a JSON object"),
        (b"{", "not the JSON of telemetry"),
        (b"\xff", "not the JSON of telemetry"),
        (b"[" * 100_000, "not the JSON of telemetry: nested deeper than 4 levels"),
        (b'{"task_id":"a","files_read":[[[[[]]]]]}', "nested deeper"),
    ],
)
def test_what_cannot_be_true_is_refused_by_name(text: bytes, says: str) -> None:
    with pytest.raises(TelemetryFormatError) as caught:
        parse_telemetry(text)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -1.0, True, "1", Decimal("NaN"), 10**10])
def test_objects_made_in_python_are_checked_alike(value: Any) -> None:
    with pytest.raises((TelemetryFormatError, ArithmeticError)):
        TaskTelemetry(task_id="a", cost_usd=value)


def test_a_float_means_the_number_that_was_written() -> None:
    assert TaskTelemetry(task_id="a", cost_usd=0.1).cost == Fraction(1, 10)


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    with contextlib.suppress(InputError):  # anything else fails the test
        assert parse_telemetry(data)


def test_many_doubled_names_cost_no_time() -> None:
    names = b",".join(b'"n%d":1' % number for number in range(200_000))
    with pytest.raises(TelemetryFormatError, match="'n7' stands twice"):
        parse_telemetry(b"{" + names + b',"n7":1}')


@pytest.mark.slow
def test_more_attempts_than_are_scored_together() -> None:
    with pytest.raises(TelemetryFormatError, match=f"an array of {limits.TASK_RESULTS + 1} attempts"):
        parse_telemetry(b"[" + b"0," * limits.TASK_RESULTS + b"0]")
