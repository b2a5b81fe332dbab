"""The golden score as a function of attempts: order does not count, bounds hold, one regression is enough."""

from __future__ import annotations

import dataclasses
from fractions import Fraction
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from tallystick.records.eval_run import FailureCategory
from tallystick.records.task import TIERS
from tallystick.scoring.evaluated import Rated, evaluate
from tallystick.scoring.golden import UNJUDGED_MOST, Measured
from tallystick.scoring.taxonomy import Failure

HARMLESS = [category for category in FailureCategory if category is not FailureCategory.test_regression]
amounts = st.fractions(min_value=0, max_value=10_000, max_denominator=1_000_000)


@st.composite
def attempts(draw: st.DrawFn, categories: list[FailureCategory] = HARMLESS, *, judged: bool = True) -> Rated:
    passed = draw(st.booleans())
    known = draw(st.booleans())
    return Rated(
        task_id=draw(st.sampled_from("abcdef")),
        tier=draw(st.sampled_from(TIERS)),
        attempt=1,
        passed=passed,
        measured=Measured(draw(amounts), draw(st.none() | amounts), draw(st.integers(0, 3)), known),
        missing=() if known else ("turns_used",),
        crashed=not passed and draw(st.booleans()),
        quality=draw(st.none() | st.fractions(min_value=0, max_value=1)) if judged else None,
        failure=None if passed else Failure(draw(st.sampled_from(categories)), "so"),
    )


some = st.lists(attempts(), min_size=1, max_size=20)


@given(some, st.randoms())
def test_the_order_of_attempts_does_not_count(rated: list[Rated], random: Random) -> None:
    mixed = list(rated)
    random.shuffle(mixed)
    assert evaluate(mixed) == evaluate(rated)


@given(some)
def test_every_part_and_the_score_lie_between_nothing_and_one(rated: list[Rated]) -> None:
    found = evaluate(rated)
    parts = [getattr(found.parts, item.name) for item in dataclasses.fields(found.parts) if item.name != "judged"]
    assert all(0 <= part <= 1 for part in (*parts, found.score))
    assert found.passed == sum(tier.passed for tier in found.tiers)
    assert found.attempts == sum(tier.attempts for tier in found.tiers) == len(rated)


@given(st.lists(attempts(judged=False), min_size=1, max_size=20))
def test_unjudged_is_at_most_seven_tenths(rated: list[Rated]) -> None:
    assert evaluate(rated).score <= UNJUDGED_MOST == Fraction(7, 10)


@given(some, st.integers(0, 20))
def test_one_regression_makes_it_nothing(rated: list[Rated], place: int) -> None:
    broken = dataclasses.replace(rated[0], passed=False, failure=Failure(FailureCategory.test_regression, "so"))
    found = evaluate([*rated[:place], broken, *rated[place:]])
    assert (found.score, found.parts.safety) == (0, 0)
    assert evaluate(rated).parts.safety == 1, "an evaluation remembers nothing"


@given(some)
def test_more_judgement_never_lowers_the_score(rated: list[Rated]) -> None:
    judged = [dataclasses.replace(each, quality=Fraction(1)) for each in rated]
    assert evaluate(judged).score >= evaluate(rated).score


@given(some)
def test_missing_telemetry_never_raises_reliability(rated: list[Rated]) -> None:
    lacking = [dataclasses.replace(rated[0], measured=dataclasses.replace(rated[0].measured, complete=False)), *rated[1:]]
    assert evaluate(lacking).parts.reliability <= evaluate(rated).parts.reliability
