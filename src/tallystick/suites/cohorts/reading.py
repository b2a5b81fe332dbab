"""Reading one document of a cohort: path, bytes, JSON, schema, each a finding where it fails.

Strict reading takes what the original takes, so that the original's findings come out the same, and adds its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tallystick.core import pyjson
from tallystick.core.digest import Digest
from tallystick.core.pyjson import DoubledNameError, Json, NotFiniteError, PyJsonError
from tallystick.records.cohort.checking import SchemaError, check
from tallystick.records.cohort.cohort import ObjectRef, WorkUnitRef
from tallystick.records.cohort.reading import Node
from tallystick.records.cohort.schemas import DocumentKind
from tallystick.suites.cohorts.files import FileRefusedError, Files
from tallystick.suites.cohorts.reporting import Code, Sheet

__all__ = ["Place", "Reader", "Told"]

_SHOWN_ERRORS: Final = 12
_STRICT_STEP: Final = 15
_POINTERS: Final = (b"version https://git-lfs.github.com/spec/", b"/annex/objects/")
"""How a file begins that Git LFS or git-annex put in the place of another one."""
_STRICT_CODES: Final = frozenset({Code.SYMLINK, Code.PATH_SPELLING, Code.NESTED_REPOSITORY})
"""Why strict reading has no bytes where the original had some."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a document is met: the step that meets it, the label that its messages begin with, and its task."""

    step: int
    label: str
    task: str | None = None


@dataclass(frozen=True, slots=True)
class Told:
    """What is said of a file in which something else stands than was named."""

    place: Place
    path: str
    code: Code
    message: str


@dataclass(frozen=True, slots=True)
class Reader:
    """Files, how they are read, and where findings go."""

    files: Files
    sheet: Sheet
    compat: bool

    def say(self, place: Place, code: Code, message: str) -> None:
        """Write down a finding of the place's step."""
        self.sheet.say(place.step, code, message, place.task)

    def value_at(self, path: str, place: Place) -> Node | None:
        """The JSON object in a file; None, and a finding, where there is none."""
        data = self.bytes_at(path, place)
        if data is None:
            return None
        try:
            value = self._value(data, path, place)
        except PyJsonError as error:
            pointer = data.startswith(_POINTERS)
            why = "it only points to a file that was not fetched; run: git lfs pull" if pointer else error
            self.say(place, Code.LFS_POINTER if pointer else Code.JSON_UNREADABLE, f"cannot load JSON from {path}: {why}")
            return None
        if not isinstance(value, dict):
            self.say(place, Code.JSON_NOT_OBJECT, f"expected JSON object in {path}")
            return None
        return value

    def bytes_at(self, path: str, place: Place) -> bytes | None:
        """The bytes of a file; None, and a finding, where it is not read."""
        try:
            return self.files.read(path, place.label)
        except FileRefusedError as error:
            step = _STRICT_STEP if error.code in _STRICT_CODES else place.step
            self.sheet.say(step, error.code, str(error), place.task)
            return None

    def fits(self, value: Json, kind: DocumentKind, place: Place) -> bool:
        """Whether the original's schema accepts a value; what only the strict one refuses is a finding and no more."""
        if not (errors := check(kind, value, strict=not self.compat)):
            return True
        refused = errors if self.compat else check(kind, value, strict=False)
        if refused:
            self.say(place, Code.SCHEMA, f"{place.label} failed schema validation: {_listed(refused)}")
            return False
        for error in errors:
            self._strict(place, _schema_code(value, error.path), f"{place.label}: {error.path}: {error.message}")
        return True

    def document(self, path: str, kind: DocumentKind, place: Place) -> Node | None:
        """The document in a file that its schema accepts; None, and a finding, where there is none."""
        value = self.value_at(path, place)
        return value if value is not None and self.fits(value, kind, place) else None

    def same(self, value: Node, ref: ObjectRef | WorkUnitRef, place: Place) -> None:
        """Whether a document has the digest and the id that the index gives it."""
        self.digested(value, ref.digest, Told(place, ref.path, Code.DIGEST_DRIFT, f"{place.label}: canonical digest drift"))
        if value["id"] != ref.id:
            self.say(place, Code.ID_DRIFT, f"{place.label}: id drift")

    def digested(self, value: Json, wanted: str | None, told: Told) -> Digest | None:
        """The digest of a value; a finding where it is another one than is wanted."""
        found = self.digest(value, told.place)
        if found not in {None, wanted}:
            detail = "" if self.compat else f"{told.path}: expected {wanted}, found {found}"
            self.sheet.say(told.place.step, told.code, told.message, told.place.task, detail)
        return found

    def digest(self, value: Json, place: Place) -> Digest | None:
        """The digest of a value; None, and a finding, where it has no canonical bytes."""
        try:
            return pyjson.digest(value)
        except PyJsonError as error:
            self.say(place, Code.JSON_UNREADABLE, f"{place.label}: {error}")
            return None

    def _value(self, data: bytes, path: str, place: Place) -> Json:
        if self.compat:
            return pyjson.read(data, strict=False)
        try:
            return pyjson.read(data, strict=True)
        except PyJsonError as error:
            value = pyjson.read(data, strict=False)
            self._strict(place, _json_code(error), f"{place.label}: {path}: {error}")
            return value

    def _strict(self, place: Place, code: Code, message: str) -> None:
        self.sheet.say(_STRICT_STEP, code, message, place.task)


def _listed(errors: list[SchemaError]) -> str:
    """The first offences, by their place in the document."""
    ordered = sorted(errors, key=lambda error: error.path)
    return "; ".join(f"{error.path}: {error.message}" for error in ordered[:_SHOWN_ERRORS])


def _json_code(error: PyJsonError) -> Code:
    match error:
        case DoubledNameError():
            return Code.MEMBER_TWICE
        case NotFiniteError():
            return Code.NUMBER_NOT_FINITE
        case _:
            return Code.LONE_SURROGATE


def _schema_code(value: Json, path: str) -> Code:
    """What the strict schemas refuse beyond the others, by the value that stands at a place."""
    for part in path.split("."):
        if isinstance(value, dict):
            value = value.get(part)
        elif isinstance(value, list):
            value = value[int(part)]
    if isinstance(value, float):
        return Code.NUMBER_NOT_FINITE
    return Code.TRAILING_NEWLINE if isinstance(value, str) and value.endswith("\n") else Code.NOT_A_URI
