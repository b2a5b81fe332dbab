"""Keywords of JSON Schema that look at one value without going into it: when each holds, and what is said where it does not.

They decide as the `jsonschema` library for Python does on draft 2020-12: 1.0 is an integer and equals 1, true does not equal 1,
NaN is below no minimum, lengths are in code points, and a pattern is searched with Python's `re`. Strictly, numbers are finite
and no string that has a pattern holds a line feed.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from tallystick.core.pyjson import Json
from tallystick.records.cohort.formats import FORMATS, STRICT_FORMATS

__all__ = ["ABOUT", "DOMAINS", "LEAVES", "Keyword", "Test", "leaf", "no_others", "shown"]

Test = Callable[[Any], bool]

_SHOWN: Final = 40
"""Characters of a value in a message."""
_LISTED: Final = 5
"""Names of unknown members in a message."""


def _is_array(value: object) -> bool:
    return isinstance(value, list)


def _is_object(value: object) -> bool:
    return isinstance(value, dict)


def _is_string(value: object) -> bool:
    return isinstance(value, str)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_integer(value: object) -> bool:
    return value.is_integer() if isinstance(value, float) else isinstance(value, int) and not isinstance(value, bool)


def _anything(_: object) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Keyword:
    """A keyword with its argument. It holds for every value outside its domain, and inside if `test` says so."""

    domain: Test
    test: Test
    messages: Callable[[Any], list[str]]

    def holds(self, value: object) -> bool:
        """Whether the value, whatever it is, does not offend it."""
        return not self.domain(value) or self.test(value)


def _said(domain: Test, test: Test, what: str) -> Keyword:
    """A keyword whose one message is the value and `what`."""
    return Keyword(domain, test, lambda value: [f"{shown(value)} {what}"])


def shown(value: object) -> str:
    """A value within a message, short whatever it is."""
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "an array"
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    text = repr(value)
    if isinstance(value, str) and len(value) > _SHOWN:
        return f"{value[:_SHOWN]!r}..."
    return text if isinstance(value, str) or len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


_TYPES: Final[Mapping[str, Test]] = {
    "array": _is_array,
    "boolean": lambda value: isinstance(value, bool),
    "integer": _is_integer,
    "null": lambda value: value is None,
    "number": _is_number,
    "object": _is_object,
    "string": _is_string,
}


DOMAINS: Final[Mapping[str, Test]] = {
    "array": _is_array,
    "integer": _is_number,
    "number": _is_number,
    "object": _is_object,
    "string": _is_string,
}
"""By type, the domain of the keywords that look at values of that type."""


def _is_finite(value: object) -> bool:
    return not isinstance(value, float) or math.isfinite(value)


def _type(names: str | list[str], *, strict: bool) -> Keyword:
    wanted = [names] if isinstance(names, str) else names
    tests = [_TYPES[name] for name in wanted]
    test = tests[0] if len(tests) == 1 else lambda value: any(each(value) for each in tests)
    if not strict or not {"number", "integer"} & set(wanted):
        return _said(_anything, test, f"is not of type {' or '.join(wanted)}")

    def messages(value: object) -> list[str]:
        return [f"{shown(value)} is not {'a finite number' if test(value) else 'of type ' + ' or '.join(wanted)}"]

    return Keyword(_anything, lambda value: test(value) and _is_finite(value), messages)


def _const(constant: str | bool) -> Keyword:  # noqa: FBT001 - a JSON value
    what = f"is not {shown(constant)}"
    if isinstance(constant, bool):
        return _said(_anything, lambda value: value is constant, what)
    if not isinstance(constant, str):
        raise TypeError("a const that is neither string nor boolean: teach keywords.py how to compare it")
    return _said(_anything, lambda value: value == constant, what)


def _enum(words: list[str]) -> Keyword:
    if not all(isinstance(word, str) for word in words):
        raise TypeError("an enum of anything but strings: teach keywords.py how to compare it")
    known = frozenset(words)
    return _said(_anything, lambda value: isinstance(value, str) and value in known, f"is not one of {', '.join(words)}")


def _pattern(pattern: str, *, strict: bool) -> Keyword:
    search = re.compile(pattern).search
    if not strict:
        return _said(_is_string, lambda value: search(value) is not None, f"does not match {pattern}")

    def messages(value: str) -> list[str]:
        return [f"{shown(value)} {'holds a line feed' if search(value) else 'does not match ' + pattern}"]

    return Keyword(_is_string, lambda value: search(value) is not None and "\n" not in value, messages)


def _format(name: str, *, strict: bool) -> Keyword:
    return _said(_is_string, (STRICT_FORMATS if strict else FORMATS)[name], f"is not a {name}")


def _minimum(least: float) -> Keyword:
    return _said(_is_number, lambda value: not value < least, f"is less than {least}")


def _maximum(most: float) -> Keyword:
    return _said(_is_number, lambda value: not value > most, f"is more than {most}")


def _min_length(least: int) -> Keyword:
    return _said(_is_string, lambda value: len(value) >= least, f"is shorter than {least} character{'s' * (least > 1)}")


def _max_length(most: int) -> Keyword:
    return _said(_is_string, lambda value: len(value) <= most, f"is longer than {most} characters")


def _min_items(least: int) -> Keyword:
    return _said(_is_array, lambda value: len(value) >= least, f"has fewer than {least} item{'s' * (least > 1)}")


def _comparable(value: Json) -> Hashable:
    """Something that is equal for two values exactly if they are equal in JSON Schema."""
    if isinstance(value, bool):
        return ("boolean", value)
    if isinstance(value, list):
        return ("array", tuple(map(_comparable, value)))
    if isinstance(value, dict):
        return ("object", frozenset((name, _comparable(item)) for name, item in value.items()))
    return value


def _unique_items(wanted: bool) -> Keyword:  # noqa: FBT001 - a JSON value
    def test(value: list[Json]) -> bool:
        return not wanted or len(set(map(_comparable, value))) == len(value)

    return _said(_is_array, test, "has equal items")


def _required(names: list[str]) -> Keyword:
    wanted = frozenset(names)
    return Keyword(
        _is_object,
        lambda value: value.keys() >= wanted,
        lambda value: [f"the member {name} is missing" for name in names if name not in value],
    )


def no_others(known: frozenset[str]) -> Keyword:
    """`additionalProperties: false` beside these properties."""

    def messages(value: dict[str, Json]) -> list[str]:
        names = sorted(value.keys() - known)
        more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
        return [f"unknown members: {', '.join(map(shown, names[:_LISTED]))}{more}"]

    return Keyword(_is_object, lambda value: value.keys() <= known, messages)


ABOUT: Final = frozenset(("$schema", "$defs", "title", "description", "then", "else"))
"""Keywords that check nothing by themselves."""
_PLAIN: Final[Mapping[str, Callable[[Any], Keyword]]] = {
    "const": _const,
    "enum": _enum,
    "maxLength": _max_length,
    "maximum": _maximum,
    "minItems": _min_items,
    "minLength": _min_length,
    "minimum": _minimum,
    "required": _required,
    "uniqueItems": _unique_items,
}
_GRADED: Final[Mapping[str, Callable[..., Keyword]]] = {"format": _format, "pattern": _pattern, "type": _type}
"""Keywords that ask for more when the check is strict."""
LEAVES: Final = frozenset(_PLAIN) | frozenset(_GRADED)
"""All keywords that are known here."""


def leaf(keyword: str, argument: Any, *, strict: bool) -> Keyword:
    """A keyword of `LEAVES` with its argument."""
    return _PLAIN[keyword](argument) if keyword in _PLAIN else _GRADED[keyword](argument, strict=strict)
