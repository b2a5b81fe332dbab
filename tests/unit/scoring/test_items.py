"""Item statistics: worked examples, and what holds of every set of agents."""

from fractions import Fraction
from math import sqrt
from statistics import correlation

import pytest

from tallystick.scoring.items import FEWEST_AGENTS, FEWEST_ATTEMPTS, item_statistics
from tallystick.scoring.passk import TaskCount


def agents(attempts: int, *rows: tuple[int, ...]) -> list[dict[str, TaskCount]]:
    """A row for each agent: how many of `attempts` it passed at t0, t1, ..."""
    return [{f"t{place}": TaskCount(attempts, passes) for place, passes in enumerate(row)} for row in rows]


def test_discrimination_is_the_point_biserial_correlation_with_the_rest() -> None:
    """Five people, three questions: t0 right for the two best of the rest. rest scores 0 1 1 2 2, t0 0 0 0 1 1."""
    found = item_statistics(agents(1, (0, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 1), (1, 1, 1)))
    means, overall, spread = (2, Fraction(2, 3)), Fraction(6, 5), sqrt(0.56)  # of those right, of the others; population
    by_hand = float(means[0] - means[1]) / spread * sqrt(2 / 5 * 3 / 5)
    assert float(overall) == 1.2
    assert float(found["t0"].discrimination or 0) == pytest.approx(by_hand, abs=1e-6)
    assert by_hand == pytest.approx(0.872872, abs=1e-6)


def test_discrimination_is_the_correlation_with_the_mean_of_the_other_tasks() -> None:
    rows = [(1, 4, 2, 0), (3, 3, 1, 2), (0, 2, 4, 1), (4, 4, 4, 3), (2, 0, 1, 1)]
    found = item_statistics(agents(4, *rows))
    for place in range(4):
        own = [row[place] / 4 for row in rows]
        rest = [(sum(row) - row[place]) / 12 for row in rows]
        assert float(found[f"t{place}"].discrimination or 0) == pytest.approx(correlation(own, rest), abs=1e-6)


def test_a_task_that_the_weaker_pass_discriminates_below_zero() -> None:
    found = item_statistics(agents(1, (1, 0, 0), (1, 0, 0), (0, 1, 1), (0, 1, 1)))
    assert found["t0"].discrimination == -1


def test_no_spread_and_too_few_agents_are_no_correlation() -> None:
    assert item_statistics(agents(2, (2, 1), (2, 2), (2, 0)))["t0"].discrimination is None
    assert item_statistics(agents(2, (2, 1), (0, 2)))["t0"].discrimination is None


def test_flip_rate_is_that_of_two_attempts_of_one_agent() -> None:
    found = item_statistics(agents(4, (0,), (2,), (4,)))["t0"]
    assert found.flip_rate == Fraction(2 * 2 * 2, 4 * 3) / 3
    assert item_statistics(agents(1, (0,), (1,), (1,)))["t0"].flip_rate is None


@pytest.mark.parametrize(
    ("attempts", "rows", "advice"),
    [
        (10, [(10,), (10,), (9,)], "retire: solved"),  # 29 of 30
        (10, [(10,), (9,), (9,)], "keep"),  # 28 of 30: 93 %
        (20, [(20,), (19,), (18,)], "retire: solved"),  # 57 of 60: exactly 95 %
        (10, [(0,), (0,), (0,)], "retire: unsolved"),
        (10, [(0,), (1,), (0,)], "keep"),
        (6, [(6,), (6,), (6,)], "too few to say"),  # 18 attempts
        (30, [(30,), (30,)], "too few to say"),  # two agents
    ],
)
def test_a_task_retires_at_95_per_cent_or_none_once_there_are_enough(
    attempts: int, rows: list[tuple[int, ...]], advice: str
) -> None:
    found = item_statistics(agents(attempts, *rows))["t0"]
    assert found.advice == advice
    assert (found.attempts >= FEWEST_ATTEMPTS and found.agents >= FEWEST_AGENTS) == (advice != "too few to say")


def test_the_order_of_agents_does_not_matter() -> None:
    rows = [(1, 4, 2), (3, 3, 1), (0, 2, 4), (4, 4, 4)]
    assert item_statistics(agents(4, *rows)) == item_statistics(agents(4, *rows[::-1]))


@pytest.mark.parametrize("counts", [[], [{"a": TaskCount(1, 1)}, {"b": TaskCount(1, 1)}]])
def test_agents_are_counted_at_the_same_tasks(counts: list[dict[str, TaskCount]]) -> None:
    with pytest.raises(ValueError, match="same tasks"):
        item_statistics(counts)
