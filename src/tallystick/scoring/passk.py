"""How often an agent passes: once out of j attempts, or all j of them. Unbiased, exact, a mean over tasks.

Of n attempts at a task, c passed. Of the C(n, j) ways to pick j of them without looking, C(c, j) hold passed ones only and
C(n-c, j) none:

* `pass_at(n, c, j) = 1 - C(n-c, j) / C(n, j)`: at least one passes (Chen et al., "Evaluating Large Language Models Trained on
  Code", 2021, eq. 1; usually written pass@j);
* `pass_all(n, c, j) = C(c, j) / C(n, j)`: all pass (Yao et al., "tau-bench", 2024; usually written pass^j);
* `flip(n, c) = 2c(n-c) / n(n-1)`: two of them have different verdicts.

An attempt that never came to a grade is one of the n and not of the c.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from math import comb
from typing import NamedTuple

__all__ = ["TaskCount", "flip", "flip_rate", "mean_over_tasks", "mean_pass_all", "mean_pass_at", "pass_all", "pass_at"]


class TaskCount(NamedTuple):
    """Attempts at one task, and those of them that passed."""

    attempts: int
    passes: int


def _check(n: int, c: int, j: int) -> None:
    if not (0 <= c <= n and 1 <= j <= n):
        raise ValueError(f"no rate: {j} picked of {n} attempts, of which {c} passed")


def pass_at(n: int, c: int, j: int) -> Fraction:
    """The probability that at least one of `j` attempts picked from `n` passed, where `c` did; 1 <= j <= n.

    Raises:
        ValueError: counts that no sample has.
    """
    _check(n, c, j)
    return 1 - Fraction(comb(n - c, j), comb(n, j))


def pass_all(n: int, c: int, j: int) -> Fraction:
    """The probability that all of `j` attempts picked from `n` passed, where `c` did; 1 <= j <= n. Raises as `pass_at`."""
    _check(n, c, j)
    return Fraction(comb(c, j), comb(n, j))


def flip(n: int, c: int) -> Fraction:
    """The probability that two attempts picked from `n` have different verdicts, where `c` passed; n >= 2.

    Raises as `pass_at`.
    """
    _check(n, c, 2)
    return Fraction(2 * c * (n - c), n * (n - 1))


def mean_over_tasks(counts: Iterable[TaskCount], rate: Callable[[int, int], Fraction]) -> Fraction:
    """The mean of `rate(n, c)` over tasks (at least one); every task weighs the same."""
    seen = Counter(counts)
    return sum((times * rate(*count) for count, times in seen.items()), Fraction(0)) / seen.total()


def mean_pass_at(counts: Sequence[TaskCount], j: int) -> Fraction:
    """pass@j of a suite. Raises as `pass_at`."""
    return mean_over_tasks(counts, lambda n, c: pass_at(n, c, j))


def mean_pass_all(counts: Sequence[TaskCount], j: int) -> Fraction:
    """pass^j of a suite. Raises as `pass_at`."""
    return mean_over_tasks(counts, lambda n, c: pass_all(n, c, j))


def flip_rate(counts: Sequence[TaskCount]) -> Fraction | None:
    """The mean of `flip` over tasks; None where a task has one attempt only, which cannot flip."""
    return None if any(count.attempts < 2 for count in counts) else mean_over_tasks(counts, flip)  # noqa: PLR2004 - a pair
