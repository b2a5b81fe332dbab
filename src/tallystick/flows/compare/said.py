"""What a comparison shows, in words: no rank where none was shown, and the smallest difference that could have been."""

from __future__ import annotations

from collections.abc import Iterator

from tallystick.flows.words import chance, plural, points, spread
from tallystick.scoring.paired import FEWEST_TASKS, Paired

__all__ = ["figures", "headline", "least"]


def headline(paired: Paired) -> str:
    """What was shown, in one line. A difference within the noise is no rank."""
    said = f"{points(paired.difference)}, {spread(paired.low, paired.high)}, {chance(paired.p.value, exact=paired.p.exact)}"
    if paired.standing != "no difference shown":
        return f"{paired.standing}: {said}"
    return f"no difference shown (B - A: {said}); {least(paired)}"


def least(paired: Paired) -> str:
    """What so small a sample could show."""
    if paired.tasks < FEWEST_TASKS:
        return f"{plural(paired.tasks, 'task')} can show no difference, {FEWEST_TASKS} are the fewest that can"
    if paired.least is None:
        return "this sample could show no difference, however large"
    return f"the smallest difference that this sample could show is {points(paired.least).removeprefix('+')}"


def figures(paired: Paired) -> Iterator[tuple[str, str]]:
    """The numbers of a comparison by name."""
    yield "Difference, B - A", points(paired.difference)
    yield "Bootstrap over tasks", spread(paired.low, paired.high)
    yield "Attempts that only A passed", str(paired.only_a)
    yield "Attempts that only B passed", str(paired.only_b)
    yield "Exact McNemar test over pairs of attempts", chance(paired.p_pairs.value, exact=paired.p_pairs.exact)
    yield "Exact sign-flip test over tasks, which decides", chance(paired.p.value, exact=paired.p.exact)
    yield "With a power of 80 % at 5 %", least(paired)
