"""Keywords of JSON Schema that look at one value, each turned into a function that reports what offends it.

They decide as the `jsonschema` library for Python does on draft 2020-12: 1.0 is an integer and equals 1, true does not equal 1,
NaN is below no minimum, lengths are in code points, and a pattern is searched with Python's `re`. Strictly, numbers are finite
and no string that has a pattern holds a line feed.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from tallystick.core.pyjson import Json
from tallystick.records.cohort.formats import FORMATS, STRICT_FORMATS

__all__ = ["GRADED", "PLAIN", "EnoughError", "Errors", "Path", "Rule", "no_others", "shown", "unique_items"]

Path = tuple[str | int, ...]

_SHOWN: Final = 40
"""Characters of a value in a message."""
_LISTED: Final = 5
"""Names of unknown members in a message."""


class EnoughError(Exception):
    """As many offences were found as were asked for. It stays inside this folder."""


@dataclass(slots=True)
class Errors:
    """Offences found so far, and how many are enough."""

    enough: int
    found: list[tuple[Path, str]] = field(default_factory=list)

    def add(self, path: Path, message: str) -> None:
        """Note one.

        Raises:
            EnoughError: it was the last one asked for.
        """
        self.found.append((path, message))
        if len(self.found) >= self.enough:
            raise EnoughError


Rule = Callable[[Any, Path, Errors], None]


def shown(value: object) -> str:
    """A value within a message, short whatever it is."""
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "an array"
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    text = repr(value[:_SHOWN]) if isinstance(value, str) else repr(value)[:_SHOWN]
    return f"{text}..." if len(str(value)) > _SHOWN else text


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_integer(value: object) -> bool:
    return value.is_integer() if isinstance(value, float) else isinstance(value, int) and not isinstance(value, bool)


_TYPES: Final[Mapping[str, Callable[[object], bool]]] = {
    "array": lambda value: isinstance(value, list),
    "boolean": lambda value: isinstance(value, bool),
    "integer": _is_integer,
    "null": lambda value: value is None,
    "number": _is_number,
    "object": lambda value: isinstance(value, dict),
    "string": lambda value: isinstance(value, str),
}


def _comparable(value: Json) -> Hashable:
    """Something that is equal for two values exactly if they are equal in JSON Schema."""
    if isinstance(value, bool):
        return ("boolean", value)
    if isinstance(value, list):
        return ("array", tuple(map(_comparable, value)))
    if isinstance(value, dict):
        return ("object", frozenset((name, _comparable(item)) for name, item in value.items()))
    return value


def _type(names: Any, *, strict: bool) -> Rule:
    wanted = [names] if isinstance(names, str) else list(names)
    tests = [_TYPES[name] for name in wanted]
    message = f"is not of type {' or '.join(wanted)}"
    one = tests[0] if len(tests) == 1 else None

    def rule(value: Any, path: Path, errors: Errors) -> None:
        if not (one(value) if one else any(test(value) for test in tests)):
            errors.add(path, f"{shown(value)} {message}")
        elif strict and isinstance(value, float) and not math.isfinite(value):
            errors.add(path, f"{shown(value)} is not a finite number")

    return rule


def _const(constant: Any) -> Rule:
    if not isinstance(constant, str | bool):
        raise TypeError("a const that is neither string nor boolean: teach keywords.py how to compare it")

    def rule(value: Any, path: Path, errors: Errors) -> None:
        if value is not constant and (isinstance(constant, bool) or value != constant):
            errors.add(path, f"{shown(value)} is not {shown(constant)}")

    return rule


def _enum(words: Any) -> Rule:
    if not all(isinstance(word, str) for word in words):
        raise TypeError("an enum of anything but strings: teach keywords.py how to compare it")
    known = frozenset(words)
    message = f"is not one of {', '.join(words)}"

    def rule(value: Any, path: Path, errors: Errors) -> None:
        if not isinstance(value, str) or value not in known:
            errors.add(path, f"{shown(value)} {message}")

    return rule


def _pattern(pattern: str, *, strict: bool) -> Rule:
    search = re.compile(pattern).search

    def rule(value: Any, path: Path, errors: Errors) -> None:
        if not isinstance(value, str):
            return
        if search(value) is None:
            errors.add(path, f"{shown(value)} does not match {pattern}")
        elif strict and "\n" in value:
            errors.add(path, f"{shown(value)} holds a line feed")

    return rule


def _format(name: str, *, strict: bool) -> Rule:
    test = (STRICT_FORMATS if strict else FORMATS)[name]

    def rule(value: Any, path: Path, errors: Errors) -> None:
        if isinstance(value, str) and not test(value):
            errors.add(path, f"{shown(value)} is not a {name}")

    return rule


def _minimum(least: float) -> Rule:
    def rule(value: Any, path: Path, errors: Errors) -> None:
        if _is_number(value) and value < least:
            errors.add(path, f"{shown(value)} is less than {least}")

    return rule


def _maximum(most: float) -> Rule:
    def rule(value: Any, path: Path, errors: Errors) -> None:
        if _is_number(value) and value > most:
            errors.add(path, f"{shown(value)} is more than {most}")

    return rule


def _min_length(least: int) -> Rule:
    def rule(value: Any, path: Path, errors: Errors) -> None:
        if isinstance(value, str) and len(value) < least:
            errors.add(path, f"{shown(value)} has {len(value)} characters; at least {least} are needed")

    return rule


def _max_length(most: int) -> Rule:
    def rule(value: Any, path: Path, errors: Errors) -> None:
        if isinstance(value, str) and len(value) > most:
            errors.add(path, f"{shown(value)} has {len(value)} characters; at most {most} are allowed")

    return rule


def _min_items(least: int) -> Rule:
    def rule(value: Any, path: Path, errors: Errors) -> None:
        if isinstance(value, list) and len(value) < least:
            errors.add(path, f"the array has {len(value)} items; at least {least} are needed")

    return rule


def _max_items(most: int) -> Rule:
    def rule(value: Any, path: Path, errors: Errors) -> None:
        if isinstance(value, list) and len(value) > most:
            errors.add(path, f"the array has {len(value)} items; at most {most} are allowed")

    return rule


def unique_items(value: Any, path: Path, errors: Errors) -> None:
    """No two items of an array are equal."""
    if isinstance(value, list) and len(set(map(_comparable, value))) < len(value):
        errors.add(path, "the array has equal items")


def _required(names: Any) -> Rule:
    wanted = tuple(names)
    all_of = frozenset(names)

    def rule(value: Any, path: Path, errors: Errors) -> None:
        if isinstance(value, dict) and not value.keys() >= all_of:
            for name in wanted:
                if name not in value:
                    errors.add(path, f"the member {name} is missing")

    return rule


def no_others(known: frozenset[str]) -> Rule:
    """An object has no other members than these."""

    def rule(value: Any, path: Path, errors: Errors) -> None:
        if isinstance(value, dict) and not value.keys() <= known:
            names = sorted(value.keys() - known)
            more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
            errors.add(path, f"unknown members: {', '.join(map(shown, names[:_LISTED]))}{more}")

    return rule


PLAIN: Final[Mapping[str, Callable[[Any], Rule]]] = {
    "const": _const,
    "enum": _enum,
    "maxItems": _max_items,
    "maxLength": _max_length,
    "maximum": _maximum,
    "minItems": _min_items,
    "minLength": _min_length,
    "minimum": _minimum,
    "required": _required,
}
GRADED: Final[Mapping[str, Callable[..., Rule]]] = {"format": _format, "pattern": _pattern, "type": _type}
"""Keywords that ask for more when the check is strict."""
