"""One customer's account."""

from @{package}.numbers_of import POINTS_PER_100_CENTS
from @{package}.problems import Refused


class Account:
    """@{unit_title} earned and spent; see docs/TERMS.md."""

    def __init__(self):
        self._today = 1
        self._points = 0

    def earn(self, day, cents):
        """Credit a purchase; returns the number credited."""
        self._go_on(day)
        points = cents * POINTS_PER_100_CENTS // 100
        self._points += points
        return points

    def spend(self, day, points):
        """Take from the balance; returns what is left."""
        self._go_on(day)
        if points < 1 or points > self._points:
            raise Refused(f"{points} of {self._points}")
        self._points -= points
        return self._points

    def balance(self, day):
        """What counts on that day."""
        self._go_on(day)
        return self._points

    def _go_on(self, day):
        if day < self._today:
            raise ValueError(f"day {day} is before day {self._today}")
        self._today = day
