"""Budgets: what was spent, and whether the next call may go out."""

from __future__ import annotations

from fractions import Fraction

from tallystick.core.exact import Num, to_fraction
from tallystick.recording.gateway import bounds
from tallystick.recording.gateway.errors import RefusalError
from tallystick.recording.gateway.spec import Bounds
from tallystick.records.traffic.cassette import Usage

__all__ = ["Account", "Budget"]


class Account:
    """What all attempts of a run spent together, and the most that they may."""

    def __init__(self, limit_usd: Num | None) -> None:
        self._limit = None if limit_usd is None else to_fraction(limit_usd)
        self.spent = Fraction(0)

    @property
    def empty(self) -> bool:
        """Whether nothing may be spent any more."""
        return self._limit is not None and self.spent >= self._limit


class Budget:
    """What one attempt spent. A call goes out while every bound is still to be reached, so the last one may pass it."""

    def __init__(self, limits: Bounds, account: Account) -> None:
        self._limits, self._account = limits, account
        self._cost_limit = None if limits.cost_usd is None else to_fraction(limits.cost_usd)
        self.calls = 0
        self.usage = Usage(input=0, output=0)
        self.cost = Fraction(0)

    def reached(self) -> str | None:
        """The bound that is reached: "calls", "tokens" or "cost"; None while there is none."""
        limits = self._limits
        if self.calls >= min(bounds.CALLS, bounds.CALLS if limits.calls is None else limits.calls):
            return "calls"
        if limits.tokens is not None and self.usage.input + self.usage.output >= limits.tokens:
            return "tokens"
        if (self._cost_limit is not None and self.cost >= self._cost_limit) or self._account.empty:
            return "cost"
        return None

    def add(self, usage: Usage, cost: Fraction | None) -> None:
        """Count what a call came to."""
        mine = self.usage
        self.usage = Usage(
            input=mine.input + usage.input,
            output=mine.output + usage.output,
            cache_read=mine.cache_read + usage.cache_read,
            cache_write=mine.cache_write + usage.cache_write,
            reasoning=mine.reasoning + usage.reasoning,
        )
        if cost is not None:
            self.cost += cost
            self._account.spent += cost


def exceeded(bound: str) -> RefusalError:
    """The answer to a call that a budget does not allow."""
    return RefusalError(
        402, "budget_exceeded", f"tally: the bound on {bound} of this attempt is reached; no further call is made"
    )
