"""How a persisted document is read and written: one door in, one door out.

`parse` reads bytes once. The typed value is built from the tree whose bytes were checked, and it must encode to the same bytes
again: that one comparison refuses every coercion (a string for a number, a missing `_type`), every unknown member, every
duplicate name and every spelling but C1.
"""

from __future__ import annotations

import re
from typing import Annotated, Any, Final, TypeVar, dataclass_transform

import msgspec

from tallystick.core import c1, limits
from tallystick.core.digest import PATTERN, Digest, sha256
from tallystick.core.errors import InputError
from tallystick.core.exact import Num

__all__ = [
    "UNSET",
    "Count",
    "Id",
    "MalformedError",
    "NewerVersionError",
    "Num",
    "Record",
    "Sha",
    "Slug",
    "UnsetType",
    "digest_of",
    "parse",
    "part_from_tree",
    "type_name",
    "write",
]

UNSET = msgspec.UNSET
UnsetType = msgspec.UnsetType

Sha = Annotated[Digest, msgspec.Meta(pattern=PATTERN)]
Slug = Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9][a-z0-9_-]{0,63}$(?!\n)")]
Id = Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$(?!\n)")]
"""An identifier of a task, suite, cheat or test: ASCII, never shown as markup, never a path."""
Count = Annotated[int, msgspec.Meta(ge=0)]

_TYPE = re.compile(r"tallystick/([a-z0-9-]+)/v([1-9][0-9]{0,3})").fullmatch
_READ_BY: Final = {
    "tallystick/bundle/": ", a bundle; what reads it: tally verify FILE",
    "tallystick/reliability/": ", a reliability receipt; what reads it: tally bench reliability-verify FILE",
}
"""Documents that are taken for each other, and the command for each."""


class MalformedError(InputError):
    """Bytes that are C1 but not the document they are offered as."""


class NewerVersionError(InputError):
    """A document of a format version that this tally does not know."""


@dataclass_transform(kw_only_default=True, frozen_default=True)
class _RecordMeta(msgspec.StructMeta):
    """Gives every record, and every class below one, keyword members, immutability and a closed schema."""

    def __new__(cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any], **options: Any) -> Any:
        # Frozen values of frozen parts form no cycles, so the garbage collector need not visit them.
        options = {"frozen": True, "kw_only": True, "forbid_unknown_fields": True, "gc": False, **options}
        return super().__new__(cls, name, bases, namespace, **options)


class Record(msgspec.Struct, metaclass=_RecordMeta):
    """Base of every part of a document: immutable, closed schema; an absent member is `UNSET` and is not written."""


R = TypeVar("R", bound=Record)


def type_name(cls: type[Record]) -> str:
    """The `_type` of a document class."""
    return str(cls.__struct_config__.tag)


def parse(data: bytes, cls: type[R], limit: int = limits.DOCUMENT_BYTES) -> R:
    """Read C1 bytes as a document of class `cls`.

    Raises:
        C1Error: the bytes are not C1 or more than `limit`.
        NewerVersionError: the same document in a later format version.
        MalformedError: another document, or one that breaks its closed schema.
    """
    return from_tree(c1.decode(data, limit), data, cls)


def from_tree(tree: c1.Tree, data: bytes, cls: type[R]) -> R:
    """The typed value of a tree decoded from `data`, which it must encode to again. Errors as `parse`."""
    check_type(tree, type_name(cls))
    return _convert(tree, data, cls, type_name(cls))


def part_from_tree(tree: c1.Tree, cls: type[R], where: str) -> R:
    """The typed value of a part of a checked document; `where` names it in errors. Raises `MalformedError`."""
    return _convert(tree, c1.encode(tree), cls, where)


def _convert(tree: c1.Tree, data: bytes, cls: type[R], where: str) -> R:
    try:
        value: R = msgspec.convert(tree, cls, strict=True, dec_hook=_refuse)
    except (msgspec.ValidationError, ValueError) as error:
        raise MalformedError(f"{where}: {_plain(error)}") from None
    try:
        written = c1.encode(value)
    except c1.C1Error as error:  # msgspec takes the text "NaN" for a decimal
        raise MalformedError(f"{where}: {error}") from None
    if written != data:
        raise _second_spelling(data, written, where)
    return value


def _second_spelling(data: bytes, written: bytes, where: str) -> InputError:
    """Why bytes are not those of the value read from them: no C1, or C1 with a value of another type."""
    try:
        c1.loads(data, len(data))
    except c1.C1Error as error:
        return c1.C1Error(f"{where}: {error}")
    at = c1.first_difference(data, written)
    return MalformedError(f"{where}: a value of the wrong type at byte {at}: {data[max(0, at - 24) : at + 24]!r}")


def _refuse(kind: type[Any], value: object) -> object:
    raise ValueError(f"a {type(value).__name__} is no {kind.__name__}")


def _plain(error: Exception) -> str:
    return str(error).replace("`$.", "`").replace("`$`", "the top level")


def check_type(tree: c1.Tree, expected: str) -> None:
    """Compare `_type` before anything else of a document is looked at."""
    if not isinstance(tree, dict):
        raise MalformedError(f"expected a JSON object ({expected})")
    found = tree.get("_type")
    if not isinstance(found, str):
        raise MalformedError(f"the member _type is missing (expected {expected})")
    if found == expected:
        return
    ours, theirs = _TYPE(expected), _TYPE(found)
    if ours and theirs and ours[1] == theirs[1] and int(theirs[2]) > int(ours[2]):
        raise NewerVersionError(f"{found} was made by a newer tally; this one reads up to {expected}")
    hint = next((says for start, says in _READ_BY.items() if found.startswith(start)), "")
    raise MalformedError(f"expected {expected}, found {found[:80]!r}{hint}")


def write(document: Record, limit: int = limits.DOCUMENT_BYTES) -> bytes:
    """C1 bytes of a document, read back once so that nothing invalid is ever written.

    Raises:
        C1Error, MalformedError: the value in memory breaks its own schema.
    """
    data = c1.encode(document)
    parse(data, type(document), limit)
    return data


def digest_of(document: Record) -> Digest:
    """Digest of a document's C1 bytes."""
    return sha256(write(document))
