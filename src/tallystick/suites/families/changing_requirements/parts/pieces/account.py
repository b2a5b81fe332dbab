"""One customer's account."""

from @{package}.numbers_of import POINTS_PER_100_CENTS
from @{package}.problems import Refused


class Account:
    """@{unit_title} earned and spent; see docs/TERMS.md and CHANGES.md."""

    def __init__(self):
        self._today = 1
        self._lots = []
        self._credited = {}

    def earn(self, day, cents):
        """Credit a purchase; returns the number credited."""
        self._go_on(day)
        points = cents * POINTS_PER_100_CENTS // 100
        bonus = @{is_bonus}
        if bonus:
            points = @{bonus_points}
        @{limited}
        self._lots.append([day, points, bonus])
        return points

    def spend(self, day, points):
        """Take from the balance; returns what is left."""
        balance = self.balance(day)
        cost = points + @{fee_code}
        if points < 1 or cost > balance@{too_small}:
            raise Refused(f"{points} of {balance}")
        left = cost
        for lot in self._lots:
            if self._counts(lot):
                taken = min(left, lot[1])
                lot[1] -= taken
                left -= taken
        return balance - cost

    def balance(self, day):
        """What counts on that day."""
        self._go_on(day)
        return sum(lot[1] for lot in self._lots if self._counts(lot))

    def _counts(self, lot):
        day, _, bonus = lot
        return @{counting}

    def _go_on(self, day):
        if day < self._today:
            raise ValueError(f"day {day} is before day {self._today}")
        self._today = day
