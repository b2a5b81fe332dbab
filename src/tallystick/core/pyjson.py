r"""The foreign rule: how documents of cohorts are read, written and hashed. Nothing else uses it, and it is not C1.

The canonical bytes of a value are what Python's own writer makes of it: members sorted by the code points of their names,
separators `,` and `:`, everything but `"`, `\` and U+0000..U+001F as it stands in UTF-8, integers exact at any size, floats as
Python's `repr` writes them. So 1 and 1.0 have two digests, and the numbers of RFC 8785 would give a third. The digest of a
document is that of its whole parsed value: white space, the order of members and doubled names of its file leave it as it is.
Specification: docs/spec/cohort-documents.md.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterable
from itertools import chain
from typing import Final, NoReturn

from tallystick.core import limits
from tallystick.core.digest import Digest, sha256
from tallystick.core.errors import InputError

__all__ = ["DoubledNameError", "Json", "NotFiniteError", "PyJsonError", "canonical", "digest", "pretty", "read"]

Json = dict[str, "Json"] | list["Json"] | str | int | float | bool | None
"""A parsed document. `bool` is tested before `int`; an int and a float are two things even where they are equal."""

_SEPARATORS: Final = (b",", b"[", b"{")
_OPENING: Final = (b"[", b"{")
_SURROGATE_ESCAPE: Final = re.compile(rb"\\u[dD][89a-fA-F]").search
_SHOWN: Final = 40
"""Characters of a name or number in a message."""


class PyJsonError(InputError):
    """Bytes that are not JSON within the bounds, or a value that has no canonical bytes."""


class DoubledNameError(PyJsonError):
    """An object with a member that stands twice, read strictly."""


class NotFiniteError(PyJsonError):
    """NaN, an infinity, or a number too large for a float, read strictly."""


def _unique(pairs: list[tuple[str, Json]]) -> Json:
    members = dict(pairs)
    if len(members) != len(pairs):
        twice = Counter(name for name, _ in pairs).most_common(1)[0][0]
        raise DoubledNameError(
            f"the member {twice[:_SHOWN]!r} stands twice in one object; readers differ in which of them they take"
        )
    return members


def _finite(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise NotFiniteError(f"the number {text[:_SHOWN]} is too large for a float")
    return number


def _no_constant(name: str) -> NoReturn:
    raise NotFiniteError(f"{name} is no JSON number")


_reader: Final = json.JSONDecoder()
_strict_reader: Final = json.JSONDecoder(object_pairs_hook=_unique, parse_float=_finite, parse_constant=_no_constant)
_writer: Final = json.JSONEncoder(ensure_ascii=False, check_circular=False, sort_keys=True, separators=(",", ":"))
_pretty_writer: Final = json.JSONEncoder(indent=2, sort_keys=True)


def read(data: bytes, *, strict: bool) -> Json:
    """Parse UTF-8 JSON as Python does: the last of doubled names wins; NaN, Infinity, 1e999 and lone surrogates pass.

    With `strict` all of these are refused.

    Raises:
        PyJsonError: not JSON, over a bound (bytes, values, nesting levels), or what `strict` refuses.
    """
    _check_size(data)
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise PyJsonError(f"the bytes are not UTF-8 ({error.reason} at byte {error.start})") from None
    if text.startswith("\ufeff"):
        raise PyJsonError("the document begins with a byte order mark; remove its first three bytes")
    value = _parse(_strict_reader if strict else _reader, text)
    if sum(map(data.count, _OPENING)) > limits.PYJSON_DEPTH:
        _check_depth(value)
    if strict and _SURROGATE_ESCAPE(data):
        canonical(value)
    return value


def _check_size(data: bytes) -> None:
    if len(data) > limits.PYJSON_BYTES:
        raise PyJsonError(f"the document has {len(data)} bytes; at most {limits.PYJSON_BYTES} are read")
    # An upper bound: separators in strings count too.
    if len(data) > limits.PYJSON_VALUES and sum(map(data.count, _SEPARATORS)) > limits.PYJSON_VALUES:
        raise PyJsonError(f"the document has more than {limits.PYJSON_VALUES} values")


def _parse(reader: json.JSONDecoder, text: str) -> Json:
    try:
        value: Json = reader.decode(text)
    except RecursionError:
        raise _too_deep() from None
    except json.JSONDecodeError as error:
        raise PyJsonError(str(error)) from None
    except ValueError:
        raise PyJsonError("an integer has more digits than Python reads") from None
    return value


def _too_deep() -> PyJsonError:
    return PyJsonError(f"the document is nested deeper than {limits.PYJSON_DEPTH} levels")


def _check_depth(value: Json) -> None:
    """Go down level by level, so that the depth of the document is not the depth of our stack."""
    level: Iterable[Json] = (value,)
    for _ in range(limits.PYJSON_DEPTH + 1):
        dicts: list[dict[str, Json]] = []
        lists: list[list[Json]] = []
        for item in level:
            if isinstance(item, dict):
                dicts.append(item)
            elif isinstance(item, list):
                lists.append(item)
        if not dicts and not lists:
            return
        level = chain(chain.from_iterable(map(dict.values, dicts)), chain.from_iterable(lists))
    raise _too_deep()


def canonical(value: Json) -> bytes:
    """The bytes that are hashed.

    Raises:
        PyJsonError: a string holds a lone surrogate, or the value is nested too deeply.
    """
    try:
        return _writer.encode(value).encode()
    except UnicodeEncodeError:
        raise PyJsonError("a string holds a lone surrogate, which UTF-8 cannot hold") from None
    except RecursionError:
        raise _too_deep() from None


def digest(value: Json) -> Digest:
    """SHA-256 of the canonical bytes, as `sha256:` and 64 lower-case hex digits.

    Raises:
        PyJsonError: as `canonical`.
    """
    return sha256(canonical(value))


def pretty(value: Json) -> str:
    """The value for people: two spaces a level, members sorted, everything but ASCII escaped, no line feed at the end."""
    return _pretty_writer.encode(value)
