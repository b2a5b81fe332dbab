"""Counts, rates, interval and golden score, against values worked out elsewhere."""

import dataclasses
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tallystick.core.digest import EMPTY, sha256
from tallystick.records.base import UNSET, UnsetType
from tallystick.records.bundle import HarnessOutput, Observed
from tallystick.scoring import golden
from tallystick.scoring.coordination import coordinate
from tallystick.scoring.interval import wilson
from tallystick.scoring.totals import Scored, TelemetryError, summarise, telemetry_problem
from tallystick.scoring.verdict import Verdict


def seen(wall_ms: int = 0, cost: Decimal | int | None = 0, orphans: int = 0) -> Observed:
    return Observed(wall_ms=wall_ms, orphans=orphans, cost_usd=UNSET if cost is None else cost)


def took(wall_ms: int = 0, cost: Decimal | int | None = 0, orphans: int = 0) -> golden.Measured:
    return golden.measured(seen(wall_ms, cost, orphans))


NOT_MEASURED = golden.measured(UNSET)


def scored(outcome: str, observed: Observed | UnsetType = UNSET, *, crashed: bool = False) -> Scored:
    passed = outcome == "passed"
    output = HarnessOutput(outcome=outcome, assertions=1)  # type: ignore[arg-type]
    return Scored(Verdict(passed=passed, score=Fraction(passed), output=output, crashed=crashed), observed)


# Newcombe, "Two-sided confidence intervals for the single proportion", 1998, table I, method 3.
@pytest.mark.parametrize(
    ("passed", "n", "low", "high"),
    [
        (81, 263, "0.2553", "0.3662"),
        (15, 148, "0.0624", "0.1605"),
        (0, 20, "0", "0.1611"),
        (1, 29, "0.0061", "0.1718"),
    ],
)
def test_wilson(passed: int, n: int, low: str, high: str) -> None:
    interval = wilson(passed, n)
    assert (round(Decimal(interval.low), 4), round(Decimal(interval.high), 4)) == (Decimal(low), Decimal(high))


@given(st.integers(1, 1000), st.data())
def test_both_ends_solve_the_equation_of_the_score_test(n: int, data: st.DataObject) -> None:
    passed = data.draw(st.integers(1, n))
    z2 = 1.959963984540054**2
    for end in (wilson(passed, n).low, wilson(passed, n).high):
        rate = float(end)
        assert (passed / n - rate) ** 2 == pytest.approx(z2 * rate * (1 - rate) / n, abs=1e-5)


@given(st.integers(1, 10**6), st.data())
def test_wilson_holds_the_rate_and_is_symmetric(n: int, data: st.DataObject) -> None:
    passed = data.draw(st.integers(0, n))
    one, other = wilson(passed, n), wilson(n - passed, n)
    assert 0 <= one.low <= Fraction(passed, n) + Fraction(1, 10**6)
    assert Fraction(passed, n) - Fraction(1, 10**6) <= one.high <= 1
    assert abs(one.low - (1 - other.high)) <= Decimal("0.000001")


@pytest.mark.parametrize(("passed", "n"), [(0, 0), (2, 1), (-1, 1)])
def test_wilson_refuses_what_no_sample_has(passed: int, n: int) -> None:
    with pytest.raises(ValueError, match="no rate"):
        wilson(passed, n)


def test_efficiency_is_that_of_the_golden_harness() -> None:
    taken = (took(200_000, 1), took(200_000, 1), took(200_000, 1))
    assert golden.efficiency(2, taken) == Fraction(11, 30)  # 0.36667
    assert golden.efficiency(0, taken) == 0
    assert golden.efficiency(3, (took(1), took(1), took(1))) == 1


def test_what_some_attempt_did_not_measure_earns_nothing() -> None:
    assert golden.efficiency(2, (took(1), took(1, None))) == Fraction(1, 2)
    assert golden.efficiency(2, (took(1), NOT_MEASURED)) == 0


def test_reliability_is_clamped_and_halved_without_telemetry() -> None:
    assert golden.reliability(3, (took(orphans=2),)) == Fraction(6, 10)
    assert golden.reliability(0, (took(),)) == 1
    assert golden.reliability(50, (took(),)) == 0
    assert golden.reliability(0, (took(), NOT_MEASURED)) == Fraction(1, 2)


def test_one_judged_attempt_makes_every_unjudged_one_count_nothing() -> None:
    assert golden.quality_of((Fraction(1), None, None)) == Fraction(1, 3)
    assert golden.quality_of(()) == golden.quality_of((None, None)) == 0
    parts = golden.parts(golden.Sample(3, 3, 0, (took(),) * 3, (Fraction(1), None, None)))
    assert (parts.code_quality, parts.judged) == (Fraction(1, 3), 1)


def test_one_regression_is_enough_for_a_score_of_nothing() -> None:
    sample = golden.Sample(9, 10, 0, (took(),) * 10, (Fraction(1),) * 10)
    assert golden.overall(golden.parts(sample)) == Fraction(95, 100)
    assert golden.overall(golden.parts(dataclasses.replace(sample, regressions=1))) == 0


@pytest.mark.parametrize(
    ("numbers", "because"),
    [
        ((2, 1, 0, (took(),)), "passes 2 of 1"),
        ((-1, 1, 0, (took(),)), "passes -1"),
        ((0, 0, 0, ()), "passes 0 of 0"),
        ((1, 1, -5, (took(),)), "-5 crashes"),
        ((1, 1, 2, (took(),)), "2 crashes"),
        ((1, 1, 0, (), ()), "0 measurements"),
        ((1, 2, 0, (took(),) * 2, (Fraction(1),)), "1 judgements"),
        ((1, 1, 0, (took(),), (Fraction(2),)), "between 0 and 1"),
        ((1, 1, 0, (took(),), (), -1), "-1 regressions"),
    ],
)
def test_figures_that_no_run_has_are_refused(numbers: tuple[Any, ...], because: str) -> None:
    with pytest.raises(ValueError, match=because):
        golden.Sample(*numbers)


@pytest.mark.parametrize("member", ["seconds", "cost_usd", "orphans"])
def test_a_negative_measurement_is_refused(member: str) -> None:
    with pytest.raises(ValueError, match="negative"):
        golden.Measured(**{member: -1})


def test_the_most_without_a_judge_is_seven_tenths() -> None:
    summary = summarise(2, [scored("passed", seen(1)), scored("passed", seen(1))])
    assert summary.overall_score == Decimal("0.7")
    assert (summary.components.code_quality, summary.components.judged, summary.components.safety) == (0, 0, 1)


def test_every_attempt_counts_in_the_denominator() -> None:
    outcomes = ["passed", "failed", "infra_error", "refused"]
    summary = summarise(2, [scored(outcome, seen(10), crashed=outcome == "infra_error") for outcome in outcomes])
    totals = summary.totals
    assert (totals.attempts, totals.passed, totals.failed, totals.infra_errors, totals.refused) == (4, 1, 1, 1, 1)
    assert summary.pass_rate == Decimal("0.25")
    assert summary.components.reliability == Decimal("0.9")
    assert totals.wall_ms == 40


def test_rates_are_rounded_once_from_unrounded_values() -> None:
    summary = summarise(3, [scored("passed", seen(1)), scored("failed", seen(1)), scored("failed", seen(1))])
    assert summary.pass_rate == Decimal("0.333333")
    assert summary.overall_score == Decimal("0.366667")  # 1/6 + 1/5


def test_a_cost_that_one_attempt_lacks_is_no_total() -> None:
    assert summarise(1, [scored("passed", seen(1, Decimal("0.1"))), scored("passed", seen(1, None))]).totals.cost_usd is UNSET
    assert summarise(1, [scored("passed", seen(1, Decimal("0.1"))), scored("passed", seen(1, 2))]).totals.cost_usd == Decimal(
        "2.1"
    )


def test_costs_that_no_document_can_hold_are_refused() -> None:
    with pytest.raises(TelemetryError, match="do not add up"):
        summarise(1, [scored("passed", seen(1, 2**53 - 1)), scored("passed", seen(1, 1))])


def test_a_negative_cost_is_no_measurement() -> None:
    assert telemetry_problem(seen(1, Decimal("-0.01")))
    assert telemetry_problem(seen(1)) is telemetry_problem(UNSET) is None


@given(
    st.lists(st.tuples(st.sampled_from(["passed", "failed", "infra_error"]), st.integers(0, 10**7)), min_size=1, max_size=20)
)
def test_every_part_lies_between_nothing_and_all(attempts: list[tuple[str, int]]) -> None:
    summary = summarise(1, [scored(outcome, seen(wall, None)) for outcome, wall in attempts])
    parts = summary.components
    for value in (parts.task_success, parts.efficiency, parts.reliability, summary.overall_score, summary.pass_rate):
        assert 0 <= value <= 1


def test_coordination_is_identical_where_every_attempt_of_a_task_agrees() -> None:
    other = sha256(b"other")
    same = coordinate({"a": [EMPTY, EMPTY], "b": [other, other]})
    assert same.identical
    assert [task.root for task in same.tasks] == [EMPTY, other]
    mixed = coordinate({"a": [EMPTY, EMPTY], "b": [EMPTY, other]})
    assert not mixed.identical
    assert [task.identical for task in mixed.tasks] == [True, False]
