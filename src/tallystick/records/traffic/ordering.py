"""Sort rules: runs of list items in the order of one of their members."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Final

from tallystick.records.traffic.foreign import JsonValue
from tallystick.records.traffic.rules import Sort

__all__ = ["sort_lists"]

_STEPS: Final = re.compile(r"[^.\[\]]+|\[\*\]").findall


def sort_lists(body: JsonValue, rules: Iterable[Sort]) -> int:
    """Sort lists of `body` in place; the number of items that stand elsewhere than before."""
    return sum(_sort(items, rule) for rule in rules for items in _at(body, _STEPS(rule.path)))


def _at(value: JsonValue, steps: list[str]) -> Iterator[list[JsonValue]]:
    """The lists at a path."""
    if not steps:
        if isinstance(value, list):
            yield value
    elif steps[0] != "[*]":
        if isinstance(value, dict) and steps[0] in value:
            yield from _at(value[steps[0]], steps[1:])
    elif isinstance(value, list):
        for item in value:
            yield from _at(item, steps[1:])


def _sort(items: list[JsonValue], rule: Sort) -> int:
    moved, place = 0, 0
    for key, run in groupby(list(items), key=lambda item: _has_key(item, rule.key)):
        before = [item for item in run if isinstance(item, dict)] if key else []
        if key:
            moved += _sort_run(items, place, before, rule)
            place += len(before)
        else:
            place += sum(1 for _ in run)
    return moved


def _has_key(item: JsonValue, key: str) -> bool:
    return isinstance(item, dict) and isinstance(item.get(key), str)


def _sort_run(items: list[JsonValue], place: int, before: list[dict[str, JsonValue]], rule: Sort) -> int:
    after = sorted(before, key=lambda item: str(item[rule.key]))
    moved = sum(1 for one, other in zip(before, after, strict=True) if one is not other)
    if moved:
        kept = [{name: item[name] for name in rule.stays if name in item} for item in before]
        free = [{name: value for name, value in item.items() if name not in rule.stays} for item in after]
        items[place : place + len(before)] = [item | stays for item, stays in zip(free, kept, strict=True)]
    return moved
