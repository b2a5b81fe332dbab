"""JSON that an agent wrote, compared by value: RFC 8259 text, no duplicate names, numbers as exact decimals.

Foreign JSON is never canonicalised; here it is only asked whether two texts mean the same.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Final, cast

from tallystick.core import limits
from tallystick.records.traffic.foreign import ForeignJsonError, read_json

__all__ = ["JsonTextError", "parse_json", "same_json"]

JsonValue = dict[str, "JsonValue"] | list["JsonValue"] | str | Decimal | bool | None

JSON_BYTES: Final = limits.DOCUMENT_BYTES
"""A longer text equals nothing."""

JsonTextError = ForeignJsonError
"""Bytes that are not one JSON text within the bounds. Caught by the assertion, never shown as an error."""


def parse_json(data: bytes) -> JsonValue:
    """Read a JSON text: UTF-8 without BOM, at most 64 levels, numbers as exact `Decimal`.

    Raises:
        JsonTextError: it is not one.
    """
    return cast("JsonValue", read_json(data, limit=JSON_BYTES, depth=limits.C1_DEPTH, number=Decimal))


def same_json(one: JsonValue, other: JsonValue) -> bool:
    """Whether two parsed texts mean the same: `1.0` equals `1`, `true` does not, order of members does not count."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same_json(value, other[name]) for name, value in one.items())
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same_json, one, other))
    return one == other
