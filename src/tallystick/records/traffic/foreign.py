"""JSON that others wrote: read strictly, and written one way so that equal values are equal bytes.

Foreign JSON is never brought into C1: it has nulls, names of any kind and numbers of any length. A number keeps its source text
(`1.0` is not `1`), so that nothing is lost between reading and writing. What is written here is hashed or shown, never stored.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from json.encoder import encode_basestring_ascii as quoted
from typing import Any, Final, NoReturn

from tallystick.core import limits

__all__ = ["ForeignJsonError", "JsonValue", "Marked", "Number", "object_of", "read_json", "write_json"]

DEPTH: Final = 128
"""Nesting levels that are read: schemas of tools take two for each of theirs."""

VALUES: Final = 2_000_000
"""Values of one text, counted by its separators: so many take some 200 MB and two seconds."""

_SEPARATORS: Final = (b",", b"[", b"{")


class ForeignJsonError(ValueError):
    """Bytes that are not one JSON text within the bounds. Callers treat them as text; it is never shown as an error."""


@dataclass(frozen=True, slots=True)
class Number:
    """A number as it was written."""

    text: str


@dataclass(frozen=True, slots=True)
class Marked:
    """A string that rules touched: what stands between the marks, which are one fewer. Written `"before "<uuid:1>" after"`."""

    between: tuple[str, ...]
    marks: tuple[str, ...]

    def __str__(self) -> str:
        """The string with its marks, for people."""
        return "".join(a + b for a, b in zip(self.between, (*self.marks, ""), strict=True))


JsonValue = dict[str, "JsonValue"] | list["JsonValue"] | str | Number | Marked | bool | None
"""What is read; `Marked` strings come from rules only."""


def read_json(
    data: bytes,
    *,
    limit: int = limits.DOCUMENT_BYTES,
    depth: int = DEPTH,
    values: int = VALUES,
    number: Callable[[str], Any] = Number,
) -> JsonValue:
    """Read a JSON text (RFC 8259): UTF-8 without BOM, no name twice; numbers become what `number` makes of their text.

    Raises:
        ForeignJsonError: it is none, or longer, deeper or of more values than is read.
    """
    if len(data) > limit or (len(data) > VALUES and sum(map(data.count, _SEPARATORS)) > VALUES):
        raise ForeignJsonError("longer than is read")
    try:
        value: JsonValue = json.loads(
            data.decode("utf-8"),
            parse_float=number,
            parse_int=number,
            parse_constant=_no_constant,
            object_pairs_hook=_unique,
        )
    except RecursionError:
        raise ForeignJsonError(f"nested deeper than {depth} levels") from None
    except (ValueError, ArithmeticError) as error:
        raise ForeignJsonError(str(error)) from None
    _check_size(value, depth, values)
    return value


def _unique(pairs: list[tuple[str, JsonValue]]) -> dict[str, JsonValue]:
    members = dict(pairs)
    if len(members) != len(pairs):
        seen: set[str] = set()
        double = next(name for name, _ in pairs if name in seen or seen.add(name))  # type: ignore[func-returns-value]
        raise ForeignJsonError(f"the member name {double[:60]!r} stands twice")
    return members


def _no_constant(token: str) -> NoReturn:
    raise ForeignJsonError(f"{token} is no JSON")


def _check_size(value: JsonValue, depth: int, values: int) -> None:
    level = [value] if isinstance(value, dict | list) else []
    for _ in range(depth):
        if not level:
            return
        values -= sum(map(len, level))
        if values < 0:
            raise ForeignJsonError("of more values than are read")
        level = [item for outer in level for item in _inside(outer) if isinstance(item, dict | list)]
    if not level:
        return
    raise ForeignJsonError(f"nested deeper than {depth} levels")


def _inside(value: dict[str, JsonValue] | list[JsonValue]) -> Iterable[JsonValue]:
    return value.values() if isinstance(value, dict) else value


def object_of(data: bytes) -> dict[str, JsonValue]:
    """The members of a JSON object; none where `data` is anything else."""
    try:
        value = read_json(data)
    except ForeignJsonError:
        return {}
    return value if isinstance(value, dict) else {}


def write_json(value: JsonValue) -> str:
    """The one spelling of a value: ASCII, members by name in order of code points, no white space, numbers as they were."""
    parts: list[str] = []
    _write(value, parts.append)
    return "".join(parts)


def _write(value: JsonValue, put: Callable[[str], object]) -> None:
    if isinstance(value, str):
        put(quoted(value))
    elif isinstance(value, dict):
        before = "{"
        for name in sorted(value):
            put(f"{before}{quoted(name)}:")
            _write(value[name], put)
            before = ","
        put("}" if value else "{}")
    elif isinstance(value, list):
        before = "["
        for item in value:
            put(before)
            _write(item, put)
            before = ","
        put("]" if value else "[]")
    elif isinstance(value, Number):
        put(value.text)
    elif isinstance(value, Marked):
        put("".join(quoted(text) + mark for text, mark in zip(value.between, (*value.marks, ""), strict=True)))
    else:
        put("null" if value is None else "true" if value else "false")
