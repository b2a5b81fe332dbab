r"""Canonical form C1: RFC 8785 (JSON Canonicalization Scheme) restricted so that every implementation agrees without care.

    name  = [A-Za-z_][A-Za-z0-9_.:/@+-]{0,127}
    int   = 0 | -?[1-9][0-9]{0,15}                      with |n| <= 2^53-1
    dec   = -?(0|[1-9][0-9]*)\.[0-9]{0,5}[1-9]          with at most 15 digits from the first non-zero one

UTF-8 without BOM, at most 64 levels, strings of Unicode scalar values, no null, no duplicate names, members in the order of
their names. The reader accepts exactly the bytes that the writer makes. Specification: docs/spec/c1.md.

msgspec does the fast part in C. What makes it C1 is here: numbers with a point become exact decimals, a walk checks names and
numbers, and the tree must encode to the very bytes it came from (which refuses duplicate names, white space, other orders and
every second spelling).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from decimal import Decimal
from itertools import chain
from types import NoneType
from typing import Any, Final

import msgspec

from tallystick.core import limits
from tallystick.core.errors import InputError
from tallystick.core.exact import MAX_INT, SIGNIFICANT_DIGITS

__all__ = ["C1Error", "Tree", "check_tree", "decode", "dumps", "encode", "first_difference", "loads"]

Tree = dict[str, "Tree"] | list["Tree"] | str | int | Decimal | bool
"""What a C1 document is made of. `bool` is tested before `int`."""

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.:/@+-]{0,127}").fullmatch
_DEC = re.compile(r"-?(?:0|[1-9][0-9]*)\.[0-9]{0,5}[1-9]").fullmatch
_known_names: set[str] = set()
_KNOWN_NAMES_CAP: Final = 4096


class C1Error(InputError):
    """Bytes that are not C1, or a value that C1 cannot hold."""


def _check_dec(value: Decimal) -> None:
    token = str(value)
    if _DEC(token) is None:
        raise C1Error(f"the number {token[:40]} is not written the one way C1 allows")
    if len(token) > SIGNIFICANT_DIGITS + 1 and len(token.replace(".", "").lstrip("-0")) > SIGNIFICANT_DIGITS:
        raise C1Error(f"the number {token[:40]} has more than {SIGNIFICANT_DIGITS} significant digits")


_decoder = msgspec.json.Decoder(float_hook=Decimal)
_encoder = msgspec.json.Encoder(order="sorted", decimal_format="number")


def encode(value: object) -> bytes:
    """Encode a checked tree, or a record whose values were checked.

    Raises:
        C1Error: a string holds a lone surrogate, or a decimal is not finite; nothing else is checked.
    """
    try:
        return _encoder.encode(value)
    except UnicodeEncodeError:
        raise C1Error("a string holds a lone surrogate, which is no Unicode scalar value") from None
    except ValueError:
        raise C1Error("a number is not finite") from None


def decode(data: bytes, limit: int = limits.DOCUMENT_BYTES) -> Tree:
    """Parse JSON and check everything of C1 but the spelling: the caller compares `encode(...)` with `data`.

    Raises:
        C1Error: over `limit` bytes, not JSON, or a name, number, depth or null that C1 does not know.
    """
    if len(data) > limit:
        raise C1Error(f"the document has {len(data)} bytes; at most {limit} are read")
    # An upper bound: separators in strings count too.
    if len(data) > limits.C1_VALUES and sum(map(data.count, (b",", b"{", b"["))) > limits.C1_VALUES:
        raise C1Error(f"the document has more than {limits.C1_VALUES} values")
    try:
        tree: Tree = _decoder.decode(data)
    except RecursionError:
        raise C1Error(f"the document is nested deeper than {limits.C1_DEPTH} levels") from None
    except msgspec.DecodeError as error:
        raise C1Error(f"not JSON: {error}") from None
    except UnicodeDecodeError:
        raise C1Error("not JSON: the bytes are not UTF-8") from None
    except ArithmeticError:
        raise C1Error("a number has an exponent; C1 writes none") from None
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


def first_difference(one: bytes, other: bytes) -> int:
    """The place of the first byte in which two texts differ: where the shorter one ends, if it begins the other."""
    return next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _difference(data: bytes, written: bytes) -> str:
    at = first_difference(data, written)
    return f"not canonical (C1) at byte {at}: {data[at : at + 24]!r} where the one spelling is {written[at : at + 24]!r}"


def dumps(tree: Tree) -> bytes:
    """Write a tree as C1 bytes.

    Raises:
        C1Error: a value that C1 cannot hold: a float, null, a bad name, an integer or decimal outside the grammar, a lone
            surrogate, or more than 64 levels.
    """
    check_tree(tree)
    return encode(tree)


def check_tree(tree: Tree) -> None:
    """Check names, numbers, types and depth of a whole tree.

    It goes level by level and sorts the values of a level by type, so that each check is one call for many values.

    Raises:
        C1Error: naming an offence.
    """
    level: Iterable[object] = (tree,)
    for _ in range(limits.C1_DEPTH + 1):
        found: defaultdict[type, list[Any]] = defaultdict(list)
        for value in level:
            found[type(value)].append(value)
        if not found:
            return
        dicts, lists = found.pop(dict, []), found.pop(list, [])
        _check_scalars(found)
        _check_names(set().union(*dicts))
        level = chain(chain.from_iterable(map(dict.values, dicts)), chain.from_iterable(lists))
    raise C1Error(f"the document is nested deeper than {limits.C1_DEPTH} levels")


def _check_names(names: set[object]) -> None:
    for name in names.difference(_known_names):
        if not isinstance(name, str) or _NAME(name) is None:
            raise C1Error(f"the member name {str(name)[:40]!r} is not one C1 allows")
        if len(_known_names) < _KNOWN_NAMES_CAP:
            _known_names.add(name)


def _check_scalars(found: dict[type, list[Any]]) -> None:
    for kind, values in found.items():
        if kind is str or kind is bool:
            continue
        if kind is int:
            if max(values) > MAX_INT or min(values) < -MAX_INT:
                raise C1Error("an integer is outside -(2^53-1) .. 2^53-1")
        elif kind is Decimal:
            for value in values:
                _check_dec(value)
        elif kind is NoneType:
            raise C1Error("null: an absent member is left out")
        else:
            raise C1Error(f"a {kind.__name__} cannot be written in C1")
