"""JSON that an agent wrote, compared by value: RFC 8259 text, no duplicate names, numbers as exact decimals.

Foreign JSON is never canonicalised; here it is only asked whether two texts mean the same.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from decimal import Decimal, InvalidOperation
from typing import Final, NoReturn

from tallystick.core import limits

__all__ = ["JsonTextError", "parse_json", "same_json"]

JsonValue = dict[str, "JsonValue"] | list["JsonValue"] | str | Decimal | bool | None

JSON_BYTES: Final = limits.DOCUMENT_BYTES
"""A longer text equals nothing."""


class JsonTextError(ValueError):
    """Bytes that are not one JSON text within the bounds. Caught by the assertion, never shown as an error."""


def _unique(pairs: list[tuple[str, JsonValue]]) -> dict[str, JsonValue]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise JsonTextError("a member name stands twice")
    return members


def _no_constant(token: str) -> NoReturn:
    raise JsonTextError(f"{token} is no JSON")


def parse_json(data: bytes) -> JsonValue:
    """Read a JSON text: UTF-8 without BOM, at most 64 levels, numbers as exact `Decimal`.

    Raises:
        JsonTextError: it is not one.
    """
    if len(data) > JSON_BYTES:
        raise JsonTextError("longer than is read")
    try:
        value: JsonValue = json.loads(
            data.decode("utf-8"),
            parse_float=Decimal,
            parse_int=Decimal,
            parse_constant=_no_constant,
            object_pairs_hook=_unique,
        )
    except (ValueError, RecursionError, InvalidOperation) as error:
        raise JsonTextError(str(error)) from None
    _check_depth(value)
    return value


def _check_depth(value: JsonValue) -> None:
    level = [value]
    for _ in range(limits.C1_DEPTH):
        level = [item for outer in level for item in _inside(outer) if isinstance(item, dict | list)]
        if not level:
            return
    raise JsonTextError(f"nested deeper than {limits.C1_DEPTH} levels")


def _inside(value: JsonValue) -> Iterable[JsonValue]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


def same_json(one: JsonValue, other: JsonValue) -> bool:
    """Whether two parsed texts mean the same: `1.0` equals `1`, `true` does not, order of members does not count."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same_json(value, other[name]) for name, value in one.items())
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same_json, one, other))
    return one == other
