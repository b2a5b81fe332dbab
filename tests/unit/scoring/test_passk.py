"""pass@k, pass^k and flips: by counting every choice, by a published row, by what must hold of all of them."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tallystick.scoring.passk import TaskCount, flip, flip_rate, mean_pass_all, mean_pass_at, pass_all, pass_at

PASSES_OF_FIFTY_TASKS = {0: 14, 1: 12, 2: 10, 3: 4, 4: 10}
"""Tasks by successes in four trials."""
FIFTY = [TaskCount(4, passes) for passes, tasks in PASSES_OF_FIFTY_TASKS.items() for _ in range(tasks)]


def test_four_trials_at_fifty_tasks() -> None:
    """The row .420 / .273 / .220 / .200, as tau-bench prints pass^1 to pass^4."""
    assert len(FIFTY) == 50
    found = [mean_pass_all(FIFTY, j) for j in (1, 2, 3, 4)]
    assert [f"{float(rate):.3f}" for rate in found] == ["0.420", "0.273", "0.220", "0.200"]
    assert found == [Fraction(21, 50), Fraction(41, 150), Fraction(11, 50), Fraction(1, 5)]


@pytest.mark.parametrize("n", range(1, 8))
def test_rates_are_those_of_all_choices(n: int) -> None:
    for c in range(n + 1):
        verdicts = [True] * c + [False] * (n - c)
        for k in range(1, n + 1):
            picks = list(combinations(verdicts, k))
            assert pass_at(n, c, k) == Fraction(sum(map(any, picks)), len(picks))
            assert pass_all(n, c, k) == Fraction(sum(map(all, picks)), len(picks))
        if n > 1:
            pairs = list(combinations(verdicts, 2))
            assert flip(n, c) == Fraction(sum(one != other for one, other in pairs), len(pairs))


def test_k_of_k() -> None:
    counts = [TaskCount(5, 5), TaskCount(5, 4), TaskCount(5, 1), TaskCount(5, 0)]
    assert (mean_pass_at(counts, 5), mean_pass_all(counts, 5)) == (Fraction(3, 4), Fraction(1, 4))
    assert flip_rate(counts) == (Fraction(2, 5) + Fraction(2, 5)) / 4


def test_one_attempt_cannot_flip() -> None:
    assert flip_rate([TaskCount(1, 1), TaskCount(1, 0)]) is None


@pytest.mark.parametrize(("n", "c", "k"), [(0, 0, 1), (3, 4, 1), (3, -1, 1), (3, 1, 0), (3, 1, 4)])
def test_counts_that_no_sample_has_are_refused(n: int, c: int, k: int) -> None:
    for rate in (pass_at, pass_all):
        with pytest.raises(ValueError, match="no rate"):
            rate(n, c, k)


@st.composite
def suites(draw: st.DrawFn) -> list[TaskCount]:
    k = draw(st.integers(1, 12))
    return [TaskCount(k, passes) for passes in draw(st.lists(st.integers(0, k), min_size=1, max_size=30))]


@given(suites())
def test_all_is_never_more_than_one_and_falls_while_one_rises(counts: list[TaskCount]) -> None:
    k = counts[0].attempts
    every = [mean_pass_all(counts, j) for j in range(1, k + 1)]
    some = [mean_pass_at(counts, j) for j in range(1, k + 1)]
    assert every == sorted(every, reverse=True)
    assert some == sorted(some)
    assert every[0] == some[0] == Fraction(sum(count.passes for count in counts), k * len(counts))
    assert all(one <= every[0] for one in every)
    assert 0 <= every[-1] <= some[-1] <= 1


@given(suites(), st.randoms())
def test_order_of_tasks_is_irrelevant(counts: list[TaskCount], random: Random) -> None:
    k = counts[0].attempts
    other = random.sample(counts, len(counts))
    assert [mean_pass_all(counts, k), mean_pass_at(counts, k), flip_rate(counts)] == [
        mean_pass_all(other, k),
        mean_pass_at(other, k),
        flip_rate(other),
    ]
