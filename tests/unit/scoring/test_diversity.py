"""Replication and diversity: by counting every choice, by budgets that can be spent, by signs gone through one by one."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tallystick.scoring.diversity import any_passes, averaged, diversity, equal_budget, replication, subtract
from tallystick.scoring.passk import TaskCount, pass_at

COUNTS = {
    "a": [TaskCount(4, 1), TaskCount(4, 0), TaskCount(4, 4)],
    "b": [TaskCount(4, 2), TaskCount(4, 3), TaskCount(4, 0)],
}

counts = st.integers(1, 5).flatmap(lambda n: st.integers(0, n).map(lambda c: TaskCount(n, c)))


def verdicts(count: TaskCount) -> list[bool]:
    return [True] * count.passes + [False] * (count.attempts - count.passes)


@given(counts, counts, st.data())
def test_picks_are_those_of_all_choices(one: TaskCount, other: TaskCount, data: st.DataObject) -> None:
    k, j = data.draw(st.integers(0, one.attempts)), data.draw(st.integers(0, other.attempts))
    picks = list(product(combinations(verdicts(one), k), combinations(verdicts(other), j)))
    wanted = Fraction(sum(any(a) or any(b) for a, b in picks), len(picks))
    assert any_passes([(one, k), (other, j)]) == wanted


@given(counts, st.data())
def test_one_structure_is_pass_at_k(count: TaskCount, data: st.DataObject) -> None:
    k = data.draw(st.integers(1, count.attempts))
    assert any_passes([(count, k)]) == pass_at(count.attempts, count.passes, k)


def test_no_more_are_picked_than_there_are() -> None:
    with pytest.raises(ValueError, match="3 picked of 2"):
        any_passes([(TaskCount(2, 1), 3)])


@pytest.mark.parametrize(
    ("attempts", "budget"),
    [
        ({"a": 2, "b": 2}, 2),
        ({"a": 4, "b": 4}, 4),
        ({"a": 5, "b": 5}, 4),  # five cannot be divided evenly
        ({"base": 3, "b": 1, "c": 1}, 3),
        ({"a": 1, "b": 1}, None),  # nobody can spend two on one
        ({"a": 4}, None),
        ({"a": 4, "b": 0}, None),
    ],
)
def test_the_budget_that_both_can_spend(attempts: dict[str, int], budget: int | None) -> None:
    assert equal_budget({name: [TaskCount(n, 0)] * 3 for name, n in attempts.items()}) == budget


def test_a_budget_is_limited_by_the_task_with_the_fewest_attempts() -> None:
    assert equal_budget({"a": [TaskCount(4, 0), TaskCount(2, 0)], "b": [TaskCount(4, 0)] * 2}) == 4
    assert equal_budget({"a": [TaskCount(4, 0), TaskCount(2, 0)], "b": [TaskCount(2, 0)] * 2}) == 2


def test_strategies_spend_the_same_and_differ_by_what_they_spend_it_on() -> None:
    mixed, alone = diversity(COUNTS, 2), replication("a", COUNTS["a"], 2)
    assert mixed.picks == (("a", 1), ("b", 1))
    assert (mixed.budget, alone.budget) == (2, 2)
    assert mixed.rates == (1 - Fraction(3, 4) * Fraction(2, 4), Fraction(3, 4), Fraction(1))
    assert alone.rates == (Fraction(1, 2), Fraction(0), Fraction(1))
    assert mixed.mean == Fraction(5, 8) / 3 + Fraction(3, 4) / 3 + Fraction(1, 3)
    assert alone.interval.low < float(alone.mean) < alone.interval.high


def test_what_cannot_be_divided_evenly_is_no_diversity() -> None:
    with pytest.raises(ValueError, match="3 attempts cannot be divided evenly over 2"):
        diversity(COUNTS, 3)


def test_the_difference_is_tested_over_tasks() -> None:
    mixed = diversity(COUNTS, 2)
    alone = [replication(name, own, 2) for name, own in COUNTS.items()]
    found = subtract(mixed.rates, averaged(alone))
    assert found.mean == mixed.mean - sum(each.mean for each in alone) / 2
    assert found.low <= found.mean <= found.high
    assert not found.shown


def test_a_difference_of_many_tasks_is_shown() -> None:
    found = subtract([Fraction(1)] * 8 + [Fraction(1, 2)], [Fraction(1, 3)] * 9)
    assert found.shown
    assert subtract([Fraction(1)], [Fraction(0)]).shown is False


@given(st.lists(st.fractions(min_value=-1, max_value=1, max_denominator=97), min_size=1, max_size=7))
def test_the_chance_is_the_share_of_signs(differences: list[Fraction]) -> None:
    """Whichever way it is counted: denominators of up to 97^7 are far beyond what is counted by sums."""
    found = subtract(differences, [Fraction(0)] * len(differences))
    seen = abs(sum(differences))
    sums = [sum(sign * each for sign, each in zip(signs, differences, strict=True)) for signs in _signs(len(differences))]
    assert found.p.exact
    assert found.p.value == Fraction(sum(abs(total) >= seen for total in sums), len(sums))


def _signs(count: int) -> list[tuple[int, ...]]:
    return list(product((1, -1), repeat=count))


def test_many_tasks_with_odd_denominators_take_the_normal_distribution() -> None:
    odd = [Fraction(1, prime) for prime in (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61)]
    found = subtract(odd, [Fraction(0)] * len(odd))
    assert not found.p.exact
    assert 0 < found.p.value < Fraction(1, 20)
