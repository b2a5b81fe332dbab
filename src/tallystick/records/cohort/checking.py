"""The check of a document by the schema of its kind: every offence, with its place."""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

from tallystick.core import limits
from tallystick.core.pyjson import Json
from tallystick.core.visible import written_out
from tallystick.records.cohort.compiling import Compiler
from tallystick.records.cohort.keywords import EnoughError, Errors, Path, Rule
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
def _compiled(kind: DocumentKind, *, strict: bool) -> Rule:
    schema = SCHEMAS[kind]
    return Compiler(schema, strict=strict).compile(schema)


def check(kind: DocumentKind, value: Json, *, strict: bool) -> list[SchemaError]:
    """Every offence of a document against its schema, in the order of their places; none if it is valid.

    Without `strict` exactly the documents that the original schemas refuse have any. `strict` refuses more: numbers that are
    not finite, line feeds in strings that have a pattern or are a time, and repositories that are no URIs.
    """
    errors = Errors(limits.SCHEMA_ERRORS)
    try:
        _compiled(kind, strict=strict)(value, (), errors)
    except EnoughError:
        rest = [SchemaError(ROOT, f"there may be more than these {limits.SCHEMA_ERRORS} offences; the search ended here")]
    else:
        rest = []
    ordered = sorted(errors.found, key=lambda error: error[0])
    return [SchemaError(_dotted(path), message) for path, message in ordered] + rest


def _dotted(path: Path) -> str:
    return ".".join(_part(part) for part in path) or ROOT


def _part(part: str | int) -> str:
    text = str(part)
    return written_out(text[:_PART_CHARS]) + ("..." if len(text) > _PART_CHARS else "")
