"""Item statistics: what the attempts of many agents say about a task, as test theory says it about a question.

Attempts of one agent, over all its bundles, are one person's answers. Of a task:

* rate: passed attempts over all attempts, with Wilson's interval;
* flip rate: the mean over agents with two attempts or more of `2c(k-c) / k(k-1)`, the probability that two of an agent's k
  attempts, of which c passed, have different verdicts;
* discrimination: the corrected item-total correlation, over agents: Pearson's correlation of the agent's rate at this task with
  its mean rate at all others. With one attempt for each agent that is the point-biserial correlation of question and rest score
  (Lord and Novick, "Statistical Theories of Mental Test Scores", 1968, sections 15.3 to 15.5; corrected for the question's own
  part: Henrysson, "Correction of Item-Total Correlations in Item Analysis", Psychometrika 28, 1963).

A task that nearly all or no agents pass tells them apart no more, and is to be retired, once enough attempts say so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Literal

from tallystick.core.exact import Num, square_root, to_num
from tallystick.records.bundle import Interval
from tallystick.scoring.interval import wilson
from tallystick.scoring.passk import TaskCount, flip

__all__ = ["FEWEST_AGENTS", "FEWEST_ATTEMPTS", "SOLVED", "Advice", "Item", "item_statistics"]

SOLVED: Final = Fraction(95, 100)
"""From this rate on a task is solved."""
FEWEST_ATTEMPTS: Final = 20
"""Attempts below which nothing is said: of 19 that all passed, the interval still begins at 83 %."""
FEWEST_AGENTS: Final = 3
"""Agents below which nothing is said, and no correlation is one: any two points lie on a line."""

Advice = Literal["keep", "retire: solved", "retire: unsolved", "too few to say"]


@dataclass(frozen=True, slots=True)
class Item:
    """One task. `discrimination` is None where there are too few agents, or no spread; `flip_rate` where nobody tried twice."""

    agents: int
    attempts: int
    passes: int
    interval: Interval
    flip_rate: Fraction | None
    discrimination: Num | None

    @property
    def rate(self) -> Fraction:
        """Passed attempts over all."""
        return Fraction(self.passes, self.attempts)

    @property
    def advice(self) -> Advice:
        """Whether the task still tells agents apart."""
        if self.attempts < FEWEST_ATTEMPTS or self.agents < FEWEST_AGENTS:
            return "too few to say"
        if self.passes == 0:
            return "retire: unsolved"
        return "retire: solved" if self.rate >= SOLVED else "keep"


def item_statistics(counts: Sequence[Mapping[str, TaskCount]]) -> dict[str, Item]:
    """Statistics of each task from the counts of each agent, all about the same tasks; the order of agents does not matter.

    Raises:
        ValueError: no agent, or agents that did not try the same tasks.
    """
    if not counts or any(set(each) != set(counts[0]) for each in counts):
        raise ValueError("every agent is counted at the same tasks, and there is one at least")
    totals = [sum((_rate(count) for count in each.values()), Fraction(0)) for each in counts]
    return {task: _item(task, counts, totals) for task in counts[0]}


def _rate(count: TaskCount) -> Fraction:
    return Fraction(count.passes, count.attempts)


def _item(task: str, counts: Sequence[Mapping[str, TaskCount]], totals: Sequence[Fraction]) -> Item:
    own = [each[task] for each in counts]
    rates = [_rate(count) for count in own]
    rest = [total - rate for total, rate in zip(totals, rates, strict=True)]  # a mean or a sum: the correlation is the same
    flips = [flip(*count) for count in own if count.attempts > 1]
    attempts, passes = sum(count.attempts for count in own), sum(count.passes for count in own)
    return Item(
        agents=len(own),
        attempts=attempts,
        passes=passes,
        interval=wilson(passes, attempts),
        flip_rate=sum(flips, Fraction(0)) / len(flips) if flips else None,
        discrimination=_correlation(rates, rest) if len(own) >= FEWEST_AGENTS else None,
    )


def _correlation(left: Sequence[Fraction], right: Sequence[Fraction]) -> Num | None:
    """Pearson's correlation, exact up to the square root; None where one side does not vary."""
    n = len(left)
    mean_left, mean_right = sum(left, Fraction(0)) / n, sum(right, Fraction(0)) / n
    off = [(a - mean_left, b - mean_right) for a, b in zip(left, right, strict=True)]
    together = sum((a * b for a, b in off), Fraction(0))
    apart = sum((a * a for a, _ in off), Fraction(0)) * sum((b * b for _, b in off), Fraction(0))
    if apart == 0:
        return None
    root = square_root(together * together / apart)
    return to_num(root if together >= 0 else -root)
