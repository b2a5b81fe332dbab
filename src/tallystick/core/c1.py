r"""Canonical form C1: RFC 8785 (JSON Canonicalization Scheme) restricted so that every implementation agrees without care.

    name  = [A-Za-z_][A-Za-z0-9_.:/@+-]{0,127}
    int   = 0 | -?[1-9][0-9]{0,15}                      with |n| <= 2^53-1
    dec   = -?(0|[1-9][0-9]*)\.[0-9]{0,5}[1-9]          with at most 15 digits from the first non-zero one

UTF-8 without BOM, at most 64 levels, strings of Unicode scalar values, no null, no duplicate names, members in the order of
their names. The reader accepts exactly the bytes that the writer makes. Specification: docs/spec/c1.md.

msgspec does the fast part in C. What makes it C1 is here: float tokens become exact decimals only when they match `dec`, names
and integers are checked by a walk, and the tree must encode to the very bytes it came from (which refuses duplicate names,
white space, other orders and every second spelling).
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Final

import msgspec

from tallystick.core import limits
from tallystick.core.errors import InputError

__all__ = ["C1Error", "Tree", "check_tree", "decode", "dumps", "encode", "loads"]

Tree = dict[str, "Tree"] | list["Tree"] | str | int | Decimal | bool
"""What a C1 document is made of. `bool` is tested before `int`."""

MAX_INT: Final = 2**53 - 1

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.:/@+-]{0,127}").fullmatch
_DEC = re.compile(r"-?(?:0|[1-9][0-9]*)\.[0-9]{0,5}[1-9]").fullmatch
_DEC_DIGITS: Final = 15
_known_names: set[str] = set()
_KNOWN_NAMES_CAP: Final = 4096


class C1Error(InputError):
    """Bytes that are not C1, or a value that C1 cannot hold."""


def _dec(token: str) -> Decimal:
    if _DEC(token) is None:
        raise C1Error(f"the number {token[:40]} is not written the one way C1 allows")
    if len(token.replace(".", "").lstrip("-0")) > _DEC_DIGITS:
        raise C1Error(f"the number {token[:40]} has more than {_DEC_DIGITS} significant digits")
    return Decimal(token)


_decoder = msgspec.json.Decoder(float_hook=_dec)
_encoder = msgspec.json.Encoder(order="sorted", decimal_format="number")


def encode(value: object) -> bytes:
    """Encode a checked tree, or a record whose values were checked; no checks of its own."""
    return _encoder.encode(value)


def decode(data: bytes, limit: int = limits.DOCUMENT_BYTES) -> Tree:
    """Parse JSON and check everything of C1 but the spelling: the caller compares `encode(...)` with `data`.

    Raises:
        C1Error: over `limit` bytes, not JSON, or a name, number, depth or null that C1 does not know.
    """
    if len(data) > limit:
        raise C1Error(f"the document has {len(data)} bytes; at most {limit} are read")
    try:
        tree: Tree = _decoder.decode(data)
    except RecursionError:
        raise C1Error(f"the document is nested deeper than {limits.C1_DEPTH} levels") from None
    except msgspec.DecodeError as error:
        raise C1Error(f"not JSON: {error}") from None
    except UnicodeDecodeError:
        raise C1Error("not JSON: the bytes are not UTF-8") from None
    check_tree(tree)
    return tree


def loads(data: bytes, limit: int = limits.DOCUMENT_BYTES) -> Tree:
    """Parse C1 bytes into a tree.

    Raises:
        C1Error: the bytes are not exactly what `dumps` makes of the tree.
    """
    tree = decode(data, limit)
    written = _encoder.encode(tree)
    if written != data:
        raise C1Error(_difference(data, written))
    return tree


def _difference(data: bytes, written: bytes) -> str:
    at = next((i for i, (a, b) in enumerate(zip(data, written, strict=False)) if a != b), min(len(data), len(written)))
    return f"not canonical (C1) at byte {at}: {data[at : at + 24]!r} where the one spelling is {written[at : at + 24]!r}"


def dumps(tree: Tree) -> bytes:
    """Write a tree as C1 bytes.

    Raises:
        C1Error: a value that C1 cannot hold: a float, null, a bad name, an integer or decimal outside the grammar, a lone
            surrogate, or more than 64 levels.
    """
    check_tree(tree)
    try:
        return _encoder.encode(tree)
    except UnicodeEncodeError:
        raise C1Error("a string holds a lone surrogate, which is no Unicode scalar value") from None


def check_tree(tree: Tree) -> None:
    """Check names, numbers, types and depth of a whole tree.

    Raises:
        C1Error: naming the first offence met.
    """
    level: list[Tree] = [tree]
    for _ in range(limits.C1_DEPTH + 1):
        below: list[Tree] = []
        for value in level:
            kind = type(value)
            if kind is dict:
                _check_names(value.keys())  # type: ignore[union-attr]  # narrowed by `kind`, which mypy does not follow
                below.extend(v for v in value.values() if type(v) is not str)  # type: ignore[union-attr]
            elif kind is list:
                below.extend(v for v in value if type(v) is not str)  # type: ignore[union-attr]
            else:
                _check_scalar(value)
        if not below:
            return
        level = below
    raise C1Error(f"the document is nested deeper than {limits.C1_DEPTH} levels")


def _check_names(names: object) -> None:
    if names <= _known_names:  # type: ignore[operator]  # a keys view is a set
        return
    for name in names:  # type: ignore[attr-defined]
        if not isinstance(name, str) or _NAME(name) is None:
            raise C1Error(f"the member name {str(name)[:40]!r} is not one C1 allows")
        if len(_known_names) < _KNOWN_NAMES_CAP:
            _known_names.add(name)


def _check_scalar(value: object) -> None:
    kind = type(value)
    if kind is str or kind is bool:
        return
    if kind is int:
        if not -MAX_INT <= value <= MAX_INT:  # type: ignore[operator]
            raise C1Error(f"the integer {str(value)[:40]} is outside -(2^53-1) .. 2^53-1")
    elif kind is Decimal:
        _dec(str(value))
    elif value is None:
        raise C1Error("null: an absent member is left out")
    else:
        raise C1Error(f"a {kind.__name__} cannot be written in C1")
