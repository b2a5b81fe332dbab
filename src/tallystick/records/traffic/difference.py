"""The first place where two normalised requests differ, in words: `messages[3].content: recorded "...", now "..."`."""

from __future__ import annotations

from itertools import zip_longest
from typing import Final

from tallystick.core.visible import written_out
from tallystick.records.traffic.foreign import JsonValue, Marked, write_json
from tallystick.records.traffic.normal import Normal

__all__ = ["first_difference"]

WINDOW: Final = 60
"""Characters of a value that are shown."""

_BEFORE: Final = 20
"""How many of them stand before the difference."""

_PATH_CHARS: Final = 120
_ORDER: Final = ("method", "path", "query", "headers", "body", "body_text", "body_base64")


class _Absent:
    """Stands for a member or item that is not there."""


_ABSENT: Final = _Absent()
_Value = JsonValue | _Absent


def first_difference(recorded: Normal, live: Normal) -> str:
    """Where two requests first differ and what stands there in each, in one line."""
    for part in _ORDER:
        one, other = recorded.document.get(part, _ABSENT), live.document.get(part, _ABSENT)
        found = _differ(one, other, "" if part == "body" else part)
        if found is not None:
            path, one, other = found
            shown = written_out(path.removeprefix(".") or part)
            if len(shown) > _PATH_CHARS:
                shown = f"…{shown[1 - _PATH_CHARS :]}"
            return f"{shown}: {_both(one, other)}"
    return "the requests do not differ"


def _differ(one: _Value, other: _Value, path: str) -> tuple[str, _Value, _Value] | None:
    if isinstance(one, dict) and isinstance(other, dict):
        for name in sorted(one.keys() | other.keys()):
            if found := _differ(one.get(name, _ABSENT), other.get(name, _ABSENT), f"{path}.{name}"):
                return found
        return None
    if isinstance(one, list) and isinstance(other, list):
        for place, (left, right) in enumerate(zip_longest(one, other, fillvalue=_ABSENT)):
            if found := _differ(left, right, f"{path}[{place}]"):
                return found
        return None
    return None if type(one) is type(other) and one == other else (path, one, other)


def _both(one: _Value, other: _Value) -> str:
    left, right = _text(one), _text(other)
    at = next((i for i, (a, b) in enumerate(zip(left, right, strict=False)) if a != b), min(len(left), len(right)))
    return f"recorded {_window(one, left, at)}, now {_window(other, right, at)}"


def _text(value: _Value) -> str:
    if isinstance(value, _Absent):
        return ""
    return str(value) if isinstance(value, str | Marked) else write_json(value)


def _window(value: _Value, text: str, at: int) -> str:
    """A value around its character `at`, in quotes where it is a string."""
    if isinstance(value, _Absent):
        return "nothing"
    start = max(0, at - _BEFORE)
    cut = written_out(text[start : start + WINDOW])
    shown = f"{'…' if start else ''}{cut[:WINDOW]}{'…' if len(cut) > WINDOW or start + WINDOW < len(text) else ''}"
    return f'"{shown}"' if isinstance(value, str | Marked) else shown
