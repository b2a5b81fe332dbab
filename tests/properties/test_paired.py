"""What holds of every comparison, and how often the interval holds the truth."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tallystick.scoring.exact_tests import sign_flip
from tallystick.scoring.paired import ALPHA, TaskPair, compare_paired
from tests.support.resampling import counted_interval

BOUNDS = settings(max_examples=60, deadline=None)


@st.composite
def samples(draw: st.DrawFn) -> list[TaskPair]:
    attempts = draw(st.integers(1, 4))
    side = st.lists(st.booleans(), min_size=attempts, max_size=attempts).map(tuple)
    return draw(st.lists(st.builds(TaskPair, side, side), min_size=1, max_size=12))


@BOUNDS
@given(samples(), st.randoms())
def test_sides_and_order(pairs: list[TaskPair], random: Random) -> None:
    there = compare_paired(pairs)
    mixed = pairs[:]
    random.shuffle(mixed)
    assert compare_paired(mixed) == there
    back = compare_paired([TaskPair(pair.b, pair.a) for pair in pairs])
    assert (back.difference, back.low, back.high) == (-there.difference, -there.high, -there.low)
    assert (back.p, back.p_pairs, back.least) == (there.p, there.p_pairs, there.least)
    turned = {"A passes more": "B passes more", "B passes more": "A passes more"}
    assert back.standing == turned.get(there.standing, there.standing)


@BOUNDS
@given(samples())
def test_numbers_are_possible(pairs: list[TaskPair]) -> None:
    found = compare_paired(pairs)
    assert -1 <= found.low <= found.difference <= found.high <= 1
    assert 0 < found.p.value <= 1
    assert 0 < found.p_pairs.value <= 1
    assert found.least is None or 0 < found.least <= 1
    assert found.tasks >= 6 or found.standing == "no difference shown"


@BOUNDS
@given(samples())
def test_a_side_against_itself(pairs: list[TaskPair]) -> None:
    found = compare_paired([TaskPair(pair.a, pair.a) for pair in pairs])
    assert (found.difference, found.p.value, found.p_pairs.value) == (0, 1, 1)
    assert found.standing == "no difference shown"


def suite_of(random: Random, tasks: int, attempts: int, gain: float) -> list[TaskPair]:
    """Tasks of all difficulties; side B passes each with a probability that is `gain` higher."""
    pairs = []
    for _ in range(tasks):
        easy = random.uniform(0, 1 - gain)
        sides = [tuple(random.random() < rate for _ in range(attempts)) for rate in (easy, easy + gain)]
        pairs.append(TaskPair(*sides))
    return pairs


@pytest.mark.slow
@pytest.mark.parametrize(
    ("tasks", "attempts", "gain"),
    [(20, 1, 0.0), (20, 1, 0.2), (20, 4, 0.1), (100, 1, 0.0), (100, 1, 0.2), (100, 2, 0.1)],
)
def test_the_interval_holds_the_truth_in_95_of_100_suites(tasks: int, attempts: int, gain: float) -> None:
    """All resamples are counted here; that drawing them comes to the same, a unit test shows."""
    random, suites = Random(tasks * attempts), 2000
    held = 0
    for _ in range(suites):
        low, high = counted_interval([pair.difference for pair in suite_of(random, tasks, attempts, gain)])
        held += low <= gain * tasks * attempts <= high
    assert 0.93 <= held / suites <= 0.97


@pytest.mark.slow
@pytest.mark.parametrize("attempts", [1, 5])
def test_a_rank_without_a_difference_is_rarer_than_five_in_a_hundred(attempts: int) -> None:
    """A rank needs a p below 5 %, which is that rare for want of a difference; McNemar's test over pairs is not, of five."""
    random, suites = Random(7), 2000
    samples = [suite_of(random, 30, attempts, 0.0) for _ in range(suites)]
    ranks = sum(sign_flip([pair.difference for pair in sample]).value < ALPHA for sample in samples)
    assert ranks / suites <= 0.055
