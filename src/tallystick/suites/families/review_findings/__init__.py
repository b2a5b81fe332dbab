"""A diff with planted defects among sound changes that look like them: find these and no others."""

from __future__ import annotations

import difflib
import textwrap
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

import msgspec

from tallystick.core import c1
from tallystick.suites.families.draws import Draws
from tallystick.suites.families.family import Authored, Family, parts
from tallystick.suites.families.literals import listed
from tallystick.suites.families.review_findings.sites import Block, Composed, compose, draw_blocks

__all__ = ["FAMILY"]

_DOMAINS: Final = (
    ("quay", "boat", "charter", "skipper", "ketch|sloop|yawl|dinghy"),
    ("shed", "tool", "loan", "member", "drill|saw|lathe|plane"),
    ("club", "court", "session", "player", "clay|lawn|hall|roof"),
    ("garage", "van", "hire", "driver", "short|long|tall|flat"),
    ("studio", "loom", "turn", "weaver", "oak|ash|elm|fir"),
    ("camp", "tent", "stay", "camper", "dome|tipi|yurt|bell"),
    ("archive", "reel", "viewing", "reader", "nitrate|safety|video|sound"),
    ("stable", "pony", "ride", "rider", "bella|comet|dusty|misty"),
)
_CHANGED: Final = 13
"""Sites that a change touches, sound ones and others."""
_KINDS: Final = (
    "broken_contract",
    "leaked_resource",
    "lost_error",
    "off_by_one",
    "shared_state",
    "unchecked_input",
    "unstable_order",
    "wrong_rounding",
    "wrong_unit",
)

Finding = dict[str, str | int]


@dataclass(frozen=True, slots=True)
class _Change:
    """A change: modules before and after, what it was meant to do, and its defects and other sites as findings."""

    before: Mapping[str, Composed]
    after: Mapping[str, Composed]
    blocks: tuple[Block, ...]
    states: Mapping[str, str]
    pkg: str

    def at(self, state: str) -> list[Finding]:
        """A right finding for each site that is `fault`, or what a false alarm about a `sound` one says."""
        return [
            {"file": self.path(block.module), "kind": block.kind, "line": self.after[block.module].lines[block.site][1]}
            for block in self.told(state)
        ]

    def told(self, state: str) -> list[Block]:
        """The blocks in a state, where sound and defect are told apart."""
        told = (block for block in self.blocks if block.texts["sound"] != block.texts["fault"])
        return [block for block in told if self.states.get(block.site) == state]

    def path(self, module: str) -> str:
        return f"{self.pkg}/{module}.py"


def _draw_values(draws: Draws) -> dict[str, str]:
    pkg, item, deal, guest, items = draws.pick(_DOMAINS)
    unit, hour, wrong_hour = draws.pick((("second", 3600, 60), ("minute", 60, 3600)))
    return {
        "pkg": pkg,
        "item": item,
        "item_upper": item.upper(),
        "items": repr(tuple(items.split("|"))),
        "deal": deal,
        "deal_capital": deal.capitalize(),
        "guest": guest,
        "guest_capital": guest.capitalize(),
        "unit": unit,
        "hour": str(hour),
        "hour_less_one": str(hour - 1),
        "wrong_hour": str(wrong_hour),
        "wrong_hour_less_one": str(wrong_hour - 1),
        "day": str(24 * hour),
        "long_days": str(draws.between(4, 12)),
        "short_cents": str(draws.between(1500, 4000)),
        "long_cents": str(draws.between(900, 1400)),
        "percent": str(draws.pick((7, 11, 13, 17, 19))),
        "late_cents": str(draws.between(200, 900)),
        "most_days": str(draws.between(20, 60)),
        "page": str(draws.between(8, 25)),
        "most": str(draws.between(3, 9)),
    }


def _draw_change(draws: Draws, values: Mapping[str, str]) -> _Change:
    drawn = draw_blocks(draws, values)
    blocks = tuple(block for _, found in drawn.values() for block in found)
    sites = draws.sample(list(dict.fromkeys(block.site for block in blocks)), _CHANGED)
    faults = draws.between(5, 7)
    states = {site: "fault" if at < faults else "sound" for at, site in enumerate(sites)}
    return _Change(
        before={module: compose(head, found, {}) for module, (head, found) in drawn.items()},
        after={module: compose(head, found, states) for module, (head, found) in drawn.items()},
        blocks=blocks,
        states=states,
        pkg=values["pkg"],
    )


def _patch(change: _Change) -> str:
    lines: list[str] = []
    for module, before in change.before.items():
        path = change.path(module)
        old, new = (state.text.splitlines(keepends=True) for state in (before, change.after[module]))
        lines += difflib.unified_diff(old, new, f"a/{path}", f"b/{path}")
    return "".join(lines)


def _listed(texts: Iterable[str]) -> str:
    return "\n".join(textwrap.fill(text, 80, initial_indent="- ", subsequent_indent="  ") for text in texts if text)


def _json(findings: Iterable[Finding]) -> str:
    return msgspec.json.format(c1.encode(list(findings)), indent=2).decode() + "\n"


def _reports(draws: Draws, change: _Change) -> dict[str, str]:
    """The findings of the solution, the partial solutions and the cheats, by folder."""
    right, wrong = draws.shuffled(change.at("fault")), draws.shuffled(change.at("sound"))
    third, half, most = -(-len(right) // 3), -(-len(right) // 2), len(right) - 1
    changed = [*right, *wrong]
    found = {
        "solution": right,
        "partials/surface": right[:third] + wrong[: third + 1],
        "partials/half_with_noise": right[:half] + wrong[:half],
        "partials/half": right[:half],
        "partials/most": right[:most],
        "partials/a_false_alarm": right + wrong[:1],
        "cheats/every_kind_everywhere": [each | {"kind": kind} for each in changed for kind in _KINDS],
        "cheats/every_change_reported": changed,
        "cheats/change_taken_back": [],
    }
    return {f"{folder}/findings.json": _json(findings) for folder, findings in found.items()}


def _defects(change: _Change) -> str:
    """Python: (file, first line, last line, kind) of each defect."""
    rows = [
        (change.path(block.module), *change.after[block.module].lines[block.site], block.kind) for block in change.told("fault")
    ]
    return listed(rows)


def _make(draws: Draws) -> Authored:
    values = _draw_values(draws.apart("values"))
    change = _draw_change(draws.apart("change"), values)
    values |= {
        "rules": _listed(block.rule for block in change.blocks),
        "notes": _listed(block.note for block in change.blocks if block.site in change.states),
        "defects": _defects(change),
        "kinds": repr(_KINDS),
        "files": repr(sorted(change.path(module) for module in change.after)),
        "patch": _patch(change),
    }
    sources = {f"workspace/{change.path(module)}": each.text for module, each in change.after.items()}
    sources[f"workspace/{change.pkg}/__init__.py"] = f'"""Bookings of {values["deal"]}s."""\n'
    taken_back = {f"cheats/change_taken_back/{change.path(module)}": each.text for module, each in change.before.items()}
    return parts(__file__, values) | sources | taken_back | _reports(draws.apart("reports"), change)


FAMILY: Final = Family("review_findings", "Defects in a diff, among sound changes that look like them", "standard", _make)
