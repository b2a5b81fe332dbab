"""Comparison of two sides: values worked out by hand or by counting everything, and what holds of every sample."""

from fractions import Fraction
from itertools import product
from math import comb, erfc, sqrt

import pytest

from tallystick.scoring.bootstrap import bootstrap, resamples
from tallystick.scoring.clustered import student_quantile
from tallystick.scoring.exact_tests import mcnemar, normal_tail, sign_flip
from tallystick.scoring.paired import Paired, TaskPair, compare_paired, least_difference
from tests.support.resampling import counted_interval


def pairs(*sides: tuple[str, str]) -> list[TaskPair]:
    """`("10", "11")`: two attempts, A passed the first, B both."""
    return [TaskPair(*(tuple(each == "1" for each in side) for side in both)) for both in sides]


def one_each(only_a: int, only_b: int, both: int = 0, none: int = 0) -> list[TaskPair]:
    return pairs(*[("1", "0")] * only_a, *[("0", "1")] * only_b, *[("1", "1")] * both, *[("0", "0")] * none)


# --- McNemar ---


@pytest.mark.parametrize(
    ("only_a", "only_b", "p"),
    [
        (0, 0, Fraction(1)),
        (1, 0, Fraction(1)),
        (0, 5, Fraction(1, 16)),
        (0, 6, Fraction(1, 32)),
        (3, 3, Fraction(1)),
        (2, 8, Fraction(7, 64)),  # 2 (1 + 10 + 45) / 1024
        (1, 9, Fraction(11, 512)),
        (86, 150, None),
    ],
)
def test_mcnemar_counted_by_hand(only_a: int, only_b: int, p: Fraction | None) -> None:
    found = mcnemar(only_a, only_b)
    assert found.exact
    if p is None:  # the approval ratings of Agresti 2013, table 11.1: z^2 = 17.36, p below 0.0001
        n = only_a + only_b
        p = Fraction(2 * sum(comb(n, i) for i in range(only_a + 1)), 2**n)
        assert Fraction(1, 100_000) < p < Fraction(5, 100_000)
    assert found.value == p
    assert mcnemar(only_b, only_a) == found


def test_mcnemar_of_very_many_pairs_is_the_normal_limit() -> None:
    near, far = mcnemar(40_000, 40_600), mcnemar(200_000, 201_400)
    assert near.exact
    assert not far.exact
    assert float(near.value) == pytest.approx(erfc(599 / sqrt(2 * 80_600)), rel=1e-3)  # 600 with the correction for continuity
    assert float(far.value) == pytest.approx(erfc(1400 / sqrt(2 * 401_400)), rel=1e-6)


def test_a_negative_count_is_no_count() -> None:
    with pytest.raises(ValueError, match="no counts"):
        mcnemar(-1, 3)


# --- sign flip ---


@pytest.mark.parametrize(
    "differences",
    [(), (0, 0), (1,), (3, -1), (2, 2, 2), (1, 2, 3, 4, 5, 6), (5, -1, 2, 0, 3, -2, 1), (4, 4, -1, 2, 7, 7, 1, 0, -3)],
)
def test_every_sign_pattern_is_counted(differences: tuple[int, ...]) -> None:
    seen = abs(sum(differences))
    patterns = list(product((1, -1), repeat=len(differences)))
    extreme = sum(abs(sum(s * d for s, d in zip(signs, differences, strict=True))) >= seen for signs in patterns)
    assert sign_flip(differences) == (Fraction(extreme, len(patterns)), True)


def test_with_one_attempt_both_tests_are_one() -> None:
    for only_a, only_b in product(range(9), repeat=2):
        assert sign_flip([-1] * only_a + [1] * only_b + [0] * 4) == mcnemar(only_a, only_b)


def test_the_normal_limit_is_near_where_counting_ends() -> None:
    few = [1, 2, 3, -2] * 100
    exact = sign_flip(few)
    limit = 2 * normal_tail(Fraction(sum(few) ** 2, sum(d * d for d in few)))
    assert exact.exact
    assert abs(exact.value - limit) < Fraction(1, 1000)
    assert not sign_flip([1, -2, 3] * 3000).exact


def test_attempts_of_one_task_count_as_one_piece_of_evidence() -> None:
    """Five tasks, ten attempts each: fifty discordant pairs, and still only five coins."""
    found = compare_paired(pairs(*[("0" * 10, "1" * 10)] * 5))
    assert found.p_pairs.value < Fraction(1, 10**12)
    assert found.p.value == Fraction(1, 16)
    assert found.standing == "no difference shown"


@pytest.mark.parametrize(
    "squared",
    [
        Fraction(0),
        Fraction(1, 7),
        Fraction(1),
        Fraction("3.841458820694124"),
        Fraction(25),
        Fraction(48),
        Fraction(50),
        Fraction(10**6),
    ],
)
def test_the_tail_of_the_normal_distribution(squared: Fraction) -> None:
    assert float(normal_tail(squared)) == pytest.approx(erfc(sqrt(squared / 2)) / 2, abs=1e-11)


@pytest.mark.parametrize(("freedom", "tabled"), [(1, 12.706), (4, 2.776), (19, 2.093), (20, 2.086), (30, 2.042), (120, 1.980)])
def test_quantiles_of_student(freedom: int, tabled: float) -> None:
    assert float(student_quantile(freedom)) == pytest.approx(tabled, abs=5e-4)


# --- bootstrap ---


def test_the_interval_is_the_same_everywhere() -> None:
    """Golden values: another release of Python, or another machine, must draw the same tasks."""
    assert bootstrap([1] * 6 + [-1] * 2 + [0] * 12) == (-2, 10)
    assert bootstrap([3, -1, 0, 2, 2, 5, -2, 0, 1, 1]) == (-3, 26)
    assert [resamples(tasks) for tasks in (2, 50, 100, 500, 10_000)] == [10_000, 10_000, 5_000, 1_000, 1_000]


@pytest.mark.parametrize(
    "values",
    [[1] * 6 + [-1] * 2 + [0] * 12, [3, -1, 0, 2, 2, 5, -2, 0, 1, 1], [1] * 9 + [0] * 91, [2, -2, 1, 0, 0, 3, 1] * 6],
)
def test_resampling_comes_to_what_counting_all_resamples_gives(values: list[int]) -> None:
    """The ends differ by the luck of draws at most."""
    drawn, counted = bootstrap(values), counted_interval(values)
    assert abs(drawn.low - counted[0]) <= 1
    assert abs(drawn.high - counted[1]) <= 1


def test_the_interval_depends_neither_on_order_nor_on_sides() -> None:
    values = [3, -1, 0, 2, 2, 5, -2, 0, 1, 1, 4, -3]
    low, high = bootstrap(values)
    assert bootstrap(sorted(values)) == (low, high)
    assert bootstrap([-value for value in values]) == (-high, -low)
    assert low < sum(values) < high


def test_tasks_that_differ_alike_leave_no_width() -> None:
    assert bootstrap([2] * 30) == (60, 60)


# --- the whole ---


def test_a_run_compared_with_itself() -> None:
    same = one_each(0, 0, both=30, none=10)
    found = compare_paired(same)
    assert (found.difference, found.low, found.high, found.p.value, found.p_pairs.value) == (0, 0, 0, 1, 1)
    assert found.standing == "no difference shown"
    assert found.least is not None
    assert Fraction(1, 10) < found.least < Fraction(2, 10)  # what 40 tasks could show at best


def mirrored(found: Paired) -> tuple[object, ...]:
    return (
        found.rate_b,
        found.rate_a,
        found.only_b,
        found.only_a,
        -found.high,
        -found.low,
        found.p,
        found.p_pairs,
        found.least,
    )


def test_a_clear_difference_is_a_rank_and_mirrored_when_the_sides_change() -> None:
    clear = one_each(2, 18, both=10, none=10)
    there = compare_paired(clear)
    back = compare_paired([TaskPair(pair.b, pair.a) for pair in clear])
    assert (there.standing, back.standing) == ("B passes more", "A passes more")
    assert there.difference == Fraction(2, 5)
    assert mirrored(there) == (
        back.rate_a,
        back.rate_b,
        back.only_a,
        back.only_b,
        back.low,
        back.high,
        back.p,
        back.p_pairs,
        back.least,
    )


def test_a_difference_within_the_noise_is_none() -> None:
    found = compare_paired(one_each(7, 12, both=20, none=11))
    assert found.difference == Fraction(1, 10)
    assert found.standing == "no difference shown"
    assert found.least is not None
    assert found.least > found.difference


@pytest.mark.parametrize("bad", [[], pairs(("1", "11")), pairs(("1", "1"), ("11", "11")), pairs(("", ""))])
def test_pairs_have_one_number_of_attempts(bad: list[TaskPair]) -> None:
    with pytest.raises(ValueError, match="no pairs"):
        compare_paired(bad)


def test_one_task_says_nothing_of_others() -> None:
    found = compare_paired(pairs(("000", "111")))
    assert (found.low, found.high, found.resamples, found.least) == (-1, 1, 0, None)
    assert found.standing == "no difference shown"


# --- the smallest difference that could be shown ---


def test_fewer_than_six_tasks_can_show_nothing() -> None:
    assert least_difference([1] * 5, 1) is None
    assert least_difference([0] * 6, 1) is not None


@pytest.mark.parametrize("tasks", [6, 10, 20, 100, 1000])
def test_without_noise_six_discordant_pairs_are_needed(tasks: int) -> None:
    least = least_difference([0] * tasks, 1)
    assert least is not None

    def power(d: Fraction) -> float:
        return 1 - sum(comb(tasks, i) * float(d) ** i * float(1 - d) ** (tasks - i) for i in range(6))

    assert power(least) >= 0.8 - 1e-9
    assert power(least - Fraction(1, 10**6)) < 0.8


def test_with_noise_it_follows_from_the_standard_error() -> None:
    differences = [1, -1] * 50  # standard deviation of 100 values: sqrt(100/99)
    least = least_difference(differences, 2)
    assert least is not None
    assert float(least) == pytest.approx((1.959963985 + 0.841621234) * sqrt(100 / 99) / (2 * 10), rel=1e-9)
