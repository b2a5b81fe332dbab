"""Three change requests to one module; the later ones amend the earlier ones."""

from __future__ import annotations

import dataclasses
import textwrap
from collections.abc import Mapping
from typing import Any, Final

from tallystick.suites.families.changing_requirements.requests import History, draw_history
from tallystick.suites.families.changing_requirements.rules import Rules, answers
from tallystick.suites.families.changing_requirements.scripts import Script, grader_scripts
from tallystick.suites.families.draws import Draws
from tallystick.suites.families.family import Authored, Family, filled, parts

__all__ = ["FAMILY", "without"]

_PLACES: Final = (
    ("stampcard", "stamps", "a bakery"),
    ("seedclub", "seeds", "a garden centre"),
    ("ridepass", "miles", "a ferry line"),
    ("bookcrown", "crowns", "a chain of bookshops"),
    ("gymcoin", "coins", "a sports hall"),
    ("farmtoken", "tokens", "a farm shop"),
    ("filmstar", "stars", "a cinema"),
    ("washdrop", "drops", "a laundry"),
    ("toolpeg", "pegs", "a hardware store"),
    ("teabud", "buds", "a tea house"),
)
_MONTHS: Final = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October")
_OFF: Final[Mapping[str, Mapping[str, Any]]] = {
    "bonus": {"bonus_every": 0},
    "cap": {"cap": 0},
    "fee": {"fee": 0},
    "minimum": {"minimum": 0},
    "lapse": {"lapse": 0},
}
_PARTIALS: Final[Mapping[str, tuple[str, ...]]] = {
    "bonus_only": ("cap", "fee", "minimum", "lapse"),
    "bonus_and_limit": ("fee", "minimum", "lapse"),
    "no_minimum_no_lapse": ("minimum", "lapse"),
    "no_lapse": ("lapse",),
}
"""The topics that each leaves out."""


def without(rules: Rules, *topics: str) -> Rules:
    """The rules of somebody who left out some topics."""
    for topic in topics:
        rules = dataclasses.replace(rules, **_OFF[topic])
    return rules


def _make(draws: Draws) -> Authored:
    package, unit, place = draws.pick(_PLACES)
    history = draw_history(draws.apart("history"), unit)
    rules = history.rules[-1]
    kept = 100 * draws.between(4, 8)
    values = {
        "package": package,
        "unit": unit,
        "unit_title": unit.capitalize(),
        "place": place,
        "rate": str(rules.rate),
        "kept_cents": str(kept + 3),
        "kept_points": str((kept + 3) * rules.rate // 100),
        "requests": _requests(history, draws),
        "first_scripts": _first_scripts(history.rules[1], draws.apart("first")),
        **{name: f"@{{{name}}}" for name in _code(rules)},
    }
    laid = {path.replace("PACKAGE", package): text for path, text in parts(__file__, values).items()}
    piece = laid.pop("pieces/account.py")
    ways = {"solution": rules, "cheats/first_request_only": history.rules[1], "cheats/second_request_last": history.rules[2]}
    ways |= {f"partials/{name}": without(rules, *topics) for name, topics in _PARTIALS.items()}
    laid |= {f"{folder}/{package}/account.py": filled(piece, _code(way)) for folder, way in ways.items()}
    laid["grader/scripts.py"] = _hidden(rules, grader_scripts(rules, draws.apart("grader")))
    return laid


def _requests(history: History, draws: Draws) -> str:
    """The text of CHANGES.md: the requests with their dates, the first or the last one first."""
    months = sorted(draws.sample(range(len(_MONTHS)), 3))
    sections = []
    for number, (month, items) in enumerate(zip(months, history.items, strict=True), 1):
        told = [
            textwrap.fill(item, 76, initial_indent=f"{at}. ", subsequent_indent="   ", break_on_hyphens=False)
            for at, item in enumerate(items, 1)
        ]
        sections.append(f"## Request {number}, {draws.between(2, 27)} {_MONTHS[month]}\n\n" + "\n".join(told))
    return "\n\n".join(sections[::-1] if draws.chance(1, 2) else sections)


def _first_scripts(rules: Rules, draws: Draws) -> str:
    """What the test of the first request asks: some calls about each of its topics."""
    rows = []
    for topic, scripts in grader_scripts(rules, draws).items():
        if topic in _OFF:
            rows += [f"    ({topic!r}, {calls!r}, {answers(rules, calls)!r}),\n" for calls in draws.sample(scripts, 2)]
    return "[\n" + "".join(rows) + "]"


def _hidden(rules: Rules, tests: Mapping[str, list[Script]]) -> str:
    lines = ['"""Calls on new accounts, and their answers under the terms after all requests."""\n\nSCRIPTS = {\n']
    for name, scripts in tests.items():
        lines.append(f"    {name!r}: [\n")
        lines += [f"        ({calls!r}, {answers(rules, calls)!r}),\n" for calls in scripts]
        lines.append("    ],\n")
    return "".join(lines) + "}\n"


def _code(rules: Rules) -> dict[str, str]:
    """Fragments of the account's code under these rules."""
    points = f"points * {rules.bonus_factor}" if rules.bonus_factor > 1 else "points"
    return {
        "is_bonus": f"day % {rules.bonus_every} == 0" if rules.bonus_every else "False",
        "bonus_points": f"{points} + {rules.bonus_plus}" if rules.bonus_plus else points,
        "limited": _limited(rules),
        "fee_code": _fee(rules),
        "too_small": _too_small(rules),
        "counting": _counting(rules),
    }


def _limited(rules: Rules) -> str:
    if not rules.cap:
        return "# There is no limit."
    period = "(day - 1) // 7" if rules.cap_days > 1 else "day"
    lines = [
        f"period = {period}",
        f"points = min(points, {rules.cap} - self._credited.get(period, 0))",
        "self._credited[period] = self._credited.get(period, 0) + points",
    ]
    if rules.cap_spares_bonus:
        return "if not bonus:\n" + "\n".join(f"    {line}" for line in lines)
    return "\n".join(lines)


def _fee(rules: Rules) -> str:
    fee = f"-(-points // {rules.fee_each}) * {rules.fee}" if rules.fee_each else f"{rules.fee}"
    if rules.fee_most:
        fee = f"min({fee}, {rules.fee_most})"
    return f"(0 if points >= {rules.fee_free_from} else {fee})" if rules.fee_free_from else fee


def _too_small(rules: Rules) -> str:
    if not rules.minimum:
        return ""
    small = f"points < {rules.minimum}"
    return f" or ({small} and cost < balance)" if rules.minimum_spares_all else f" or {small}"


def _counting(rules: Rules) -> str:
    if not rules.lapse:
        return "day <= self._today"
    young = f"self._today <= day + {rules.lapse}"
    return f"bonus or {young}" if rules.lapse_spares_bonus else young


FAMILY: Final = Family(
    "changing_requirements", "Three change requests, of which the later amend the earlier", "standard", _make
)
