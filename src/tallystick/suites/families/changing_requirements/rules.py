"""The rules of an account of points, and what they make of calls: earn, spend, balance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

__all__ = ["Account", "Answer", "Call", "Rules", "answers"]

Call = tuple[str, int, int]
"""(`earn`, day, cents), (`spend`, day, points) or (`balance`, day, 0)."""
Answer = int | str
"""What a call returns, or the name of what it raises."""


@dataclass(frozen=True, slots=True)
class Rules:
    """Days are numbered from 1; a week is the days 1 to 7, 8 to 14 and so on. A rule that is 0 is not there."""

    rate: int
    """Points for a unit of money, 100 cents."""
    bonus_every: int = 0
    """Days divisible by it are bonus days."""
    bonus_factor: int = 1
    bonus_plus: int = 0
    cap: int = 0
    cap_days: int = 1
    """Length of the period of the cap: 1 or 7."""
    cap_spares_bonus: bool = False
    fee: int = 0
    fee_each: int = 0
    """The fee is for each started number of points; 0: for each time."""
    fee_free_from: int = 0
    fee_most: int = 0
    minimum: int = 0
    minimum_spares_all: bool = False
    lapse: int = 0
    """Days after the day of earning on which points count for the last time."""
    lapse_spares_bonus: bool = False

    def is_bonus(self, day: int) -> bool:
        """Whether a day is a bonus day."""
        return self.bonus_every > 0 and day % self.bonus_every == 0

    def fee_of(self, points: int) -> int:
        """The fee of spending `points`."""
        if self.fee_free_from and points >= self.fee_free_from:
            return 0
        fee = self.fee * (-(-points // self.fee_each) if self.fee_each else 1)
        return min(fee, self.fee_most) if self.fee_most else fee

    def earned(self, day: int, cents: int) -> int:
        """Points before the cap."""
        points = cents * self.rate // 100
        return points * self.bonus_factor + self.bonus_plus if self.is_bonus(day) else points


@dataclass(slots=True)
class Account:
    """An account under rules."""

    rules: Rules
    lots: list[list[int]] = field(default_factory=list)
    """[day, points left], the oldest first."""
    used: dict[int, int] = field(default_factory=dict)
    """Points credited under the cap, by period."""
    today: int = 1

    def call(self, call: Call) -> Answer:
        """The answer to a call."""
        what, day, number = call
        if day < self.today:
            return "ValueError"
        self.today = day
        if what == "earn":
            return self._earn(day, number)
        return self._spend(number) if what == "spend" else self._balance()

    def _earn(self, day: int, cents: int) -> int:
        rules = self.rules
        points = rules.earned(day, cents)
        if rules.cap and not (rules.cap_spares_bonus and rules.is_bonus(day)):
            period = (day - 1) // rules.cap_days
            points = min(points, rules.cap - self.used.get(period, 0))
            self.used[period] = self.used.get(period, 0) + points
        self.lots.append([day, points])
        return points

    def _counts(self, day: int) -> bool:
        rules = self.rules
        spared = rules.lapse_spares_bonus and rules.is_bonus(day)
        return not rules.lapse or spared or self.today <= day + rules.lapse

    def _balance(self) -> int:
        return sum(points for day, points in self.lots if self._counts(day))

    def _spend(self, points: int) -> Answer:
        rules, balance = self.rules, self._balance()
        cost = points + rules.fee_of(points)
        small = points < rules.minimum and not (rules.minimum_spares_all and cost == balance)
        if points < 1 or cost > balance or small:
            return "Refused"
        left = cost
        for lot in self.lots:
            if self._counts(lot[0]):
                taken = min(lot[1], left)
                lot[1] -= taken
                left -= taken
        return balance - cost


def answers(rules: Rules, calls: Sequence[Call]) -> list[Answer]:
    """What a new account answers to calls in sequence."""
    account = Account(rules)
    return [account.call(call) for call in calls]
