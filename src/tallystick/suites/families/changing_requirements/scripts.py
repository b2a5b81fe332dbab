"""Calls on accounts, by test. The calls of a test meet no topic that comes after it in `TOPICS`."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tallystick.suites.families.changing_requirements.rules import Account, Call, Rules
from tallystick.suites.families.draws import Draws

__all__ = ["Script", "grader_scripts", "kept_scripts"]

Script = list[Call]
"""Calls on one account."""


def grader_scripts(rules: Rules, draws: Draws) -> dict[str, list[Script]]:
    """The hidden calls, for the rules that hold in the end."""
    tests: Mapping[str, Callable[[Rules, Draws], list[Script]]] = {
        "bonus": lambda rules, draws: kept_scripts(rules, draws) + _bonus(rules, draws),
        "cap": _cap,
        "fee": _fee,
        "minimum": _minimum,
        "lapse": _lapse,
        "together": _together,
    }
    return {name: scripts(rules, draws.apart(name)) for name, scripts in tests.items()}


def _cents(rules: Rules, points: int, draws: Draws) -> int:
    """An amount that earns so many points on a day like any other."""
    return -(-points * 100 // rules.rate) + draws.below(100 // rules.rate)


def _plain_day(draws: Draws, low: int, high: int) -> int:
    """A day that no rule makes a bonus day."""
    return draws.pick([day for day in range(low, high + 1) if day % 2 and day % 3 and day % 5 and day % 11])


def kept_scripts(rules: Rules, draws: Draws) -> list[Script]:
    """What no request touches: one purchase a day, nothing spent but too much or nothing, no day before the last one."""
    scripts: list[Script] = []
    for _ in range(4):
        day = _plain_day(draws, 1, 20)
        scripts.append(
            [
                ("balance", day, 0),
                ("earn", day, _cents(rules, draws.between(10, 40), draws)),
                ("balance", day, 0),
                ("spend", day, 5000),
                ("spend", day, 0),
                ("spend", day, -draws.between(1, 9)),
                ("earn", day - 1, 300),
                ("balance", day + 3, 0),
                ("balance", day + 2, 0),
            ]
        )
    return scripts


def _bonus(rules: Rules, draws: Draws) -> list[Script]:
    days = [*range(1, 45), 45, 54, 55, 60, 66, 99, 110]
    return [[("earn", day, _cents(rules, draws.between(10, 35), draws)), ("balance", day, 0)] for day in days]


def _cap(rules: Rules, draws: Draws) -> list[Script]:
    """Purchases of many sizes over two weeks; those of a single day; and on bonus days."""
    spread: list[Script] = [_purchases(rules, draws, [*range(1, 22)], (20, 120)) for _ in range(3)]
    same: list[Script] = [_purchases(rules, draws, [day] * 6 + [day + 1] * 3, (40, 90)) for day in (1, 8, 13, 20)]
    bonus = rules.bonus_every
    near: list[Script] = [
        _purchases(rules, draws, [day] * 4 + [day + 1] * 5, (50, 80)) for day in (bonus, bonus * 2, bonus * 7)
    ]
    return spread + same + near


def _purchases(rules: Rules, draws: Draws, days: list[int], sizes: tuple[int, int]) -> Script:
    calls: Script = [("earn", day, _cents(rules, draws.between(*sizes), draws)) for day in days]
    return [*calls, ("balance", days[-1], 0)]


def _stock(rules: Rules, draws: Draws) -> Script:
    """Purchases of three weeks that make a balance of some hundred points."""
    return [("earn", day, _cents(rules, draws.between(60, 90), draws)) for day in (1, 2, 7, 8, 13, 14, 17, 19, 21)]


def _balance(rules: Rules, calls: Script) -> int:
    account = Account(rules)
    for call in calls:
        account.call(call)
    return int(account.call(("balance", account.today, 0)))


def _fee(rules: Rules, draws: Draws) -> list[Script]:
    """Spending, all above the minimum: round numbers and their neighbours, and all that the fee leaves."""
    sizes = [50, 51, 99, 100, 101, 150, 151, 200, *(edge + step for edge in _edges(rules) for step in (-1, 0, 1))]
    more: Script = [("balance", 22, 0), ("spend", 23, 60), ("balance", 23, 0)]
    scripts: list[Script] = [[*_stock(rules, draws), ("spend", 22, size), *more] for size in sizes]
    for _ in range(4):
        calls = _stock(rules, draws)
        balance = _balance(rules, calls)
        most = max(points for points in range(balance + 1) if points + rules.fee_of(points) <= balance)
        scripts += [[*calls, ("spend", 24, points), ("balance", 24, 0)] for points in (balance, most + 1, most)]
    return scripts


def _edges(rules: Rules) -> list[int]:
    return [rules.fee_free_from, rules.fee_free_from + 20, rules.fee_free_from - 15] if rules.fee_free_from else [60]


def _minimum(rules: Rules, draws: Draws) -> list[Script]:
    sizes = range(5, 46)
    several: list[Script] = [[*_stock(rules, draws), ("spend", 22, size), ("balance", 22, 0)] for size in sizes]
    scripts: list[Script] = []
    for size in draws.sample(range(6, rules.minimum), 5):
        day = _plain_day(draws, 1, 25)
        calls: Script = [("earn", day, _cents(rules, size + rules.fee_of(size), draws))]
        scripts += [[*calls, ("spend", day, points), ("balance", day, 0)] for points in (size, size - 1)]
    return several + scripts


def _lapse(rules: Rules, draws: Draws) -> list[Script]:
    """Purchases on some days, and balances and spending around the days on which they lapse."""
    scripts: list[Script] = []
    for _ in range(6):
        first = draws.between(1, 9)
        days = [first, first + draws.between(1, 5), first + draws.between(6, 12), rules.bonus_every * 4]
        days = sorted(days)
        calls: Script = [("earn", day, _cents(rules, draws.between(50, 80), draws)) for day in days]
        calls.append(("spend", days[-1] + 1, draws.between(51, 70)))
        edges = sorted({day + rules.lapse + step for day in days for step in (0, 1)})
        calls += [("balance", day, 0) for day in edges]
        scripts.append([*calls, ("earn", edges[-1] + 2, 2000), ("spend", edges[-1] + 2, 90), ("balance", edges[-1] + 200, 0)])
    return scripts


def _together(rules: Rules, draws: Draws) -> list[Script]:
    scripts: list[Script] = []
    for _ in range(8):
        day, calls = 1, []
        for _ in range(40):
            day += draws.pick((0, 0, 1, 1, 2, 3, 5, 9))
            what = draws.pick(("earn", "earn", "spend", "spend", "balance"))
            number = {"earn": _cents(rules, draws.between(20, 150), draws), "spend": draws.between(10, 190)}.get(what, 0)
            calls.append((what, day, number))
        last = _plain_day(draws, day + 8, day + 20)
        calls += [("balance", day, 0), ("earn", last, _cents(rules, 60, draws)), ("balance", last + rules.lapse, 0)]
        scripts.append([*calls, ("balance", last + rules.lapse + 1, 0)])
    return scripts
