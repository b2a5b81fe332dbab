"""Budgets: what was spent, and whether the next call may go out."""

from __future__ import annotations

from fractions import Fraction

from tallystick.core.exact import to_fraction
from tallystick.recording.gateway import bounds
from tallystick.recording.gateway.errors import RefusalError
from tallystick.recording.gateway.spec import Bounds
from tallystick.records.traffic.cassette import Api, Usage

__all__ = ["Budget", "exceeded"]


class Budget:
    """What one attempt spent. A call goes out while every bound is still to be reached, so the last one may pass it."""

    def __init__(self, limits: Bounds) -> None:
        self._limits = limits
        self._cost_limit = None if limits.cost_usd is None else to_fraction(limits.cost_usd)
        self._all = 0
        self.calls = 0
        self.usage = Usage(input=0, output=0)
        self.cost = Fraction(0)

    def reached(self) -> str | None:
        """The bound that is reached: "calls", "tokens" or "cost"; None while there is none."""
        limits = self._limits
        if self._all >= bounds.CALLS or (limits.calls is not None and self.calls >= limits.calls):
            return "calls"
        if limits.tokens is not None and self.usage.input + self.usage.output >= limits.tokens:
            return "tokens"
        if self._cost_limit is not None and self.cost >= self._cost_limit:
            return "cost"
        return None

    def count(self, api: Api) -> None:
        """Count a call that goes out now; one that asks no model counts for the gateway's own bound alone."""
        self._all += 1
        self.calls += api != "other"

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


def exceeded(bound: str) -> RefusalError:
    """The answer to a call that a budget does not allow."""
    return RefusalError(
        402, "budget_exceeded", f"tally: the bound on {bound} of this attempt is reached; no further call is made"
    )
