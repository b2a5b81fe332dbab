"""A price rule in a document, and a visible test that contradicts it: the document rules."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from tallystick.suites.families.draws import Draws
from tallystick.suites.families.family import Authored, Family, parts

__all__ = ["FAMILY"]

_GOODS: Final = ("parcel", "crate", "letter", "pallet", "drum", "sack")
_SLIPS: Final = ("bulk_excluded", "rounded_down", "surcharge_discounted", "capped_before_surcharge")
"""What the visible test gets wrong: it expects the fee that this slip makes."""


@dataclass(frozen=True, slots=True)
class _Rules:
    """A tariff in grams, cents and percent."""

    base: int
    light: int
    step: int
    per_step: int
    bulk: int
    percent: int
    surcharge: int
    cap: int

    def fee(self, grams: int, *, express: bool, slip: str = "") -> int:
        """The fee in cents; with a slip, the one that somebody who made it would compute."""
        steps = max(0, -(-(grams - self.light) // self.step))
        fee = self.base + steps * self.per_step
        extra = self.surcharge if express else 0
        if slip == "surcharge_discounted":
            fee, extra = fee + extra, 0
        if grams > self.bulk or (grams == self.bulk and slip != "bulk_excluded"):
            fee = (fee * (100 - self.percent) + (0 if slip == "rounded_down" else 50)) // 100
        if slip == "capped_before_surcharge":
            return min(fee, self.cap) + extra
        return min(fee + extra, self.cap)


def _draw_rules(draws: Draws) -> _Rules:
    step = draws.pick((50, 100, 125, 200, 250))
    light = step * draws.between(2, 5)
    rules = _Rules(
        base=draws.between(180, 420),
        light=light,
        step=step,
        per_step=draws.between(17, 49),
        bulk=light + step * draws.between(9, 14),
        percent=draws.pick((7, 9, 11, 13)),
        surcharge=draws.between(120, 260),
        cap=1,
    )
    high = rules.bulk + step * draws.between(10, 16)
    return dataclasses.replace(rules, cap=_uncapped(rules, high) + draws.between(1, rules.per_step))


def _uncapped(rules: _Rules, grams: int) -> int:
    return dataclasses.replace(rules, cap=1 << 30).fee(grams, express=False)


def _contested(rules: _Rules, draws: Draws) -> tuple[str, int, bool]:
    """A slip, and a weight and a way of sending for which it gives another fee than the rules."""
    weights = [*range(1, rules.bulk * 6, 37), rules.bulk]
    ways = [(grams, express) for grams in weights for express in (False, True)]
    for slip in draws.shuffled(_SLIPS):
        telling = [way for way in ways if rules.fee(way[0], express=way[1], slip=slip) != rules.fee(way[0], express=way[1])]
        if telling:
            return slip, *draws.pick(telling)
    raise RuntimeError("a tariff that no slip changes")  # rule 3 excludes it: at `bulk` the discount is more than a cent


def _agreed(rules: _Rules, draws: Draws) -> list[tuple[int, bool, int]]:
    """Ways about which no slip is of another opinion: what the visible tests get right."""
    edges = [rules.light, rules.light + 1, rules.light + rules.step * 3, rules.bulk - 1, draws.between(1, rules.light)]
    return [
        (grams, express, rules.fee(grams, express=express))
        for grams, express in zip(edges, (False, False, True, False, True), strict=True)
    ]


def _make(draws: Draws) -> Authored:
    goods = draws.pick(_GOODS)
    rules = _draw_rules(draws)
    slip, *way = _contested(rules, draws)
    contested = (way[0], bool(way[1]))
    values = {name: str(value) for name, value in dataclasses.asdict(rules).items()}
    cases = "\n".join(
        f"self.assertEqual(fee({grams}, express={express}), {cents})" for grams, express, cents in _agreed(rules, draws)
    )
    wrong = rules.fee(contested[0], express=contested[1], slip=slip)
    values |= {
        "goods": goods,
        "agreed": cases,
        "contested": f"self.assertEqual(fee({contested[0]}, express={contested[1]}), {wrong})",
        "known": repr({(grams, express): cents for grams, express, cents in _agreed(rules, draws)} | {contested: wrong}),
        "probes": _probes(rules, contested, draws),
        **_bodies(values),
        "body_bent": _BENT[slip].format(**values),
    }
    return parts(__file__, values)


def _probes(rules: _Rules, contested: tuple[int, bool], draws: Draws) -> str:
    """The grader's questions, by test: (grams, express, fee) each."""
    light, bulk = (1, rules.light + rules.step * 6), (rules.bulk, rules.bulk + rules.step * 8)
    asked: Mapping[str, list[tuple[int, bool]]] = {
        "base_fee": [(draws.between(*light), False) for _ in range(12)] + [(rules.light, False), (rules.light + 1, False)],
        "express": [(draws.between(*light), True) for _ in range(8)],
        "discount": [(draws.between(*bulk), False) for _ in range(12)],
        "cap": [(rules.bulk * n + draws.between(500, 900), bool(n % 2)) for n in range(4, 10)],
        "contested": [contested, (rules.bulk, False), (rules.bulk, True), (rules.bulk * 6, True)],
    }
    rows = [
        f"    {name!r}: {[(grams, express, rules.fee(grams, express=express)) for grams, express in ways]!r},\n"
        for name, ways in asked.items()
    ]
    return "{\n" + "".join(rows) + "}"


_DISCOUNT: Final = "if grams >= {bulk}:\n    cents = (cents * (100 - {percent}) + 50) // 100\n"
_EXPRESS: Final = "if express:\n    cents += {surcharge}\n"
_REFUSAL: Final = 'if grams <= 0:\n    raise ValueError("a weight is above 0")\n'
_BASE: Final = "steps = max(0, -(-(grams - {light}) // {step}))\ncents = {base} + steps * {per_step}\n"


_BENT: Final = {
    "bulk_excluded": _REFUSAL + _BASE + _DISCOUNT.replace(">=", ">") + _EXPRESS + "return min(cents, {cap})",
    "rounded_down": _REFUSAL + _BASE + _DISCOUNT.replace(" + 50", "") + _EXPRESS + "return min(cents, {cap})",
    "surcharge_discounted": _REFUSAL + _BASE + _EXPRESS + _DISCOUNT + "return min(cents, {cap})",
    "capped_before_surcharge": _REFUSAL + _BASE + _DISCOUNT + "cents = min(cents, {cap})\n" + _EXPRESS + "return cents",
}
"""The body of somebody who follows the visible test."""


def _bodies(values: Mapping[str, str]) -> dict[str, str]:
    """The body of the function for the solution and for each partial one."""
    ways = {
        "body_solution": _REFUSAL + _BASE + _DISCOUNT + _EXPRESS + "return min(cents, {cap})",
        "body_base": _BASE + "return cents",
        "body_no_discount": _BASE + _EXPRESS + "return cents",
        "body_no_cap": _BASE + _DISCOUNT + _EXPRESS + "return cents",
        "body_no_refusals": _BASE + _DISCOUNT + _EXPRESS + "return min(cents, {cap})",
    }
    return {name: text.format(**values) for name, text in ways.items()}


FAMILY: Final = Family("spec_over_test", "A visible test contradicts the specification", "standard", _make)
