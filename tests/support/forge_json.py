"""JSON for forgers: plain values, and spellings that no careful writer makes."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final

import msgspec

from tallystick.core import merkle
from tallystick.core.digest import sha256

__all__ = ["Raw", "Twin", "copied", "hashed", "parse", "plain", "replaced", "root", "text", "to_bytes"]


@dataclass(frozen=True)
class Raw:
    """Literal JSON text, written as it stands."""

    text: str


class Twin(str):
    """A second member of a name that an object has already."""

    __slots__ = ()
    __hash__ = object.__hash__

    def __eq__(self, other: object) -> bool:
        return self is other


_MARK: Final = "\ue000"
_marked = re.compile(f'"{_MARK}([0-9]+){_MARK}"').sub


def text(value: Any) -> str:
    """JSON as C1 writes it, wherever that is possible at all."""
    literal: list[str] = []

    def mark(other: Any) -> str:
        literal.append(other.text if isinstance(other, Raw) else str(other))
        return f"{_MARK}{len(literal) - 1}{_MARK}"

    written = json.dumps(value, default=mark, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return _marked(lambda found: literal[int(found[1])], written) if literal else written


def to_bytes(value: Any) -> bytes:
    return text(value).encode("utf-8", "surrogatepass")


def parse(data: bytes) -> Any:
    return json.loads(data, parse_float=Decimal)


def hashed(value: Any) -> str:
    return sha256(to_bytes(value))


def root(values: Sequence[Any]) -> str:
    return merkle.root(to_bytes(value) for value in values)


def plain(record: Any) -> Any:
    """A record of the product as plain JSON values."""
    return msgspec.to_builtins(record, builtin_types=(Decimal,))


def copied(value: Any) -> Any:
    """A copy that shares nothing which can be changed."""
    match value:
        case dict():
            return {name: copied(one) for name, one in value.items()}
        case list():
            return [copied(one) for one in value]
        case _:
            return value


def replaced(value: Any, old: str, new: str) -> Any:
    """Every string `old` in a value as `new`."""
    match value:
        case dict():
            return {name: replaced(one, old, new) for name, one in value.items()}
        case list():
            return [replaced(one, old, new) for one in value]
        case str() if type(value) is str and value == old:
            return new
        case _:
            return value
