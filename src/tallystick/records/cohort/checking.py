"""The check of a document by the schema of its kind: every offence, with its place."""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

from tallystick.core import limits
from tallystick.core.pyjson import Json
from tallystick.core.visible import written_out
from tallystick.records.cohort.deciding import Decider
from tallystick.records.cohort.keywords import Test
from tallystick.records.cohort.listing import EnoughError, Errors, Lister, Path, Rule
from tallystick.records.cohort.schemas import SCHEMAS, DocumentKind

__all__ = ["ROOT", "SchemaError", "check"]

ROOT: Final = "<root>"
"""The path of the whole document."""
_PART_CHARS: Final = 64
"""Characters of one part of a path that is shown."""


class SchemaError(NamedTuple):
    """One offence: the place, as `tasks.0.id` or `<root>`, and what is wrong there."""

    path: str
    message: str


@cache
def _decider(kind: DocumentKind, *, strict: bool) -> Test:
    schema = SCHEMAS[kind]
    return Decider(schema, strict=strict).test(schema)


@cache
def _lister(kind: DocumentKind, *, strict: bool) -> Rule:
    schema = SCHEMAS[kind]
    return Lister(schema, strict=strict).rule(schema)


def check(kind: DocumentKind, value: Json, *, strict: bool) -> list[SchemaError]:
    """Every offence of a document against its schema, in the order of their places; none if it is valid.

    Without `strict` exactly the documents that the original schemas refuse have any. `strict` refuses more: numbers that are
    not finite, line feeds in strings that have a pattern or are a time, and repositories that are no URIs.
    """
    if _decider(kind, strict=strict)(value):
        return []
    errors, rest = Errors(limits.SCHEMA_ERRORS), []
    try:
        _lister(kind, strict=strict)(value, (), errors)
    except EnoughError:
        rest = [SchemaError(ROOT, f"there may be more than these {limits.SCHEMA_ERRORS} offences; the search ended here")]
    return [SchemaError(_dotted(path), message) for path, message in sorted(errors.found, key=_place)] + rest


def _place(error: tuple[Path, str]) -> Path:
    return error[0]


def _dotted(path: Path) -> str:
    return ".".join(_part(part) for part in path) or ROOT


def _part(part: str | int) -> str:
    text = str(part)
    return written_out(text[:_PART_CHARS]) + ("..." if len(text) > _PART_CHARS else "")
