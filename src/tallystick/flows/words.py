"""How counts, rates, times and instants read, on screen and on pages."""

from __future__ import annotations

from datetime import UTC, datetime
from fractions import Fraction
from typing import Final

from tallystick.core.exact import Num
from tallystick.records.base import UnsetType
from tallystick.records.evidence import Receipt
from tallystick.records.journal import AgentEnd
from tallystick.scoring.verdict import event_of

__all__ = ["agent_end", "chance", "instant", "percent", "plural", "points", "seconds", "spread"]

LAST_INSTANT: Final = 253_402_300_799
"""The last second of the year 9999: what a calendar has."""


def agent_end(receipt: Receipt) -> str | None:
    """How the agent ended where it did not end well: `exited with 3`, `was killed by signal 9`; None where it did."""
    ended = event_of(receipt, AgentEnd)
    if ended is None or ended.exit == 0:
        return None
    if not isinstance(ended.limit, UnsetType):
        return f"was stopped by its limit ({ended.limit})"
    return f"was killed by signal {ended.signal}" if isinstance(ended.exit, UnsetType) else f"exited with {ended.exit}"


def plural(count: int, word: str, words: str = "") -> str:
    """`1 task`, `2 tasks`; `words` is the plural of a word that needs more than an s."""
    return f"{count} {word}" if count == 1 else f"{count} {words or f'{word}s'}"


def percent(rate: Num | Fraction) -> str:
    """A rate in per cent with at most one digit after the point."""
    tenths = round(Fraction(rate) * 1000)
    return f"{tenths // 10} %" if tenths % 10 == 0 else f"{tenths // 10}.{tenths % 10} %"


def points(difference: Num | Fraction) -> str:
    """A difference of rates in points of a per cent: `+12.5 points`, `-3 points`, `0 points`."""
    tenths = round(Fraction(difference) * 1000)
    whole, tenth = divmod(abs(tenths), 10)
    sign = "+" if tenths > 0 else "-" if tenths < 0 else ""
    return f"{sign}{whole}{f'.{tenth}' if tenth else ''} {'point' if (whole, tenth) == (1, 0) else 'points'}"


def spread(low: Fraction, high: Fraction) -> str:
    """The interval of a difference; where every task differs by the same, drawing them again cannot show how sure that is."""
    if low == high:
        return "no interval, all tasks differ alike"
    return f"95 % interval {points(low).partition(' ')[0]} to {points(high).partition(' ')[0]}"


def chance(p: Fraction, *, exact: bool = True) -> str:
    """A p-value: `p = 0.0312`, `p < 0.0001`; `p ~ 0.03` where it is not exact. One below a limit is never rounded up to it."""
    if p < Fraction(1, 10_000):
        return "p < 0.0001"
    return f"p {'=' if exact else '~'} {int(p * 10_000) / 10_000:g}"


def seconds(milliseconds: int) -> str:
    """A duration: `840 ms`, `12.5 s`, `3 min 20 s`, `2 h 5 min`."""
    if milliseconds < 1000:  # noqa: PLR2004  # below a second
        return f"{milliseconds} ms"
    whole = round(milliseconds / 1000)
    if whole < 60:  # noqa: PLR2004  # below a minute
        return f"{milliseconds / 1000:.1f} s"
    minutes, left = divmod(whole, 60)
    return f"{minutes} min {left} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"  # noqa: PLR2004  # an hour


def instant(since_1970: int) -> str:
    """An instant in UTC to the minute, or the number itself where no calendar has it."""
    if not 0 <= since_1970 <= LAST_INSTANT:
        return f"{since_1970} s after 1970"
    return datetime.fromtimestamp(since_1970, UTC).strftime("%Y-%m-%d %H:%M UTC")
