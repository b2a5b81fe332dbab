"""Portable assertions: functions of bytes with one meaning in every language. Specification: docs/spec/suite.md.

`unchanged` and `only_changed` look at the sealed workspace (`final`), all others at the grade workspace (`graded`). A symbolic
link is never a regular file and is never followed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Final, TypeGuard, get_args

from tallystick.core.errors import TallyError
from tallystick.records.base import UNSET
from tallystick.records.blobs import BlobReader
from tallystick.records.task import (
    Assertion,
    Contains,
    ContentEq,
    FileAbsent,
    FileExists,
    JsonEquals,
    LineCountDelta,
    NotContains,
    OnlyChanged,
    Portable,
    Unchanged,
)
from tallystick.records.tree import Tree, TreeRecord, compare_trees
from tallystick.scoring.jsontext import JsonTextError, parse_json, same_json

__all__ = ["Workspaces", "holds", "is_portable"]

_PORTABLE: Final = get_args(Portable)


class NotAFileError(TallyError):
    """No regular file is where an assertion reads one. Caught here: the assertion does not hold."""


@dataclass(frozen=True)
class Workspaces:
    """The three trees of an attempt, how many names its seal refused, and where file contents come from."""

    base: Tree
    final: Tree
    graded: Tree
    refused_total: int
    blobs: BlobReader

    @cached_property
    def base_records(self) -> dict[str, TreeRecord]:
        """The base workspace by path."""
        return self.base.by_path()

    @cached_property
    def graded_records(self) -> dict[str, TreeRecord]:
        """The grade workspace by path."""
        return self.graded.by_path()

    def content(self, path: str) -> bytes:
        """Bytes of a regular file of the grade workspace; raises `NotAFileError`."""
        return _content(self.graded_records.get(path), self.blobs)

    def base_content(self, path: str) -> bytes:
        """Bytes of a regular file of the base workspace; raises `NotAFileError`."""
        return _content(self.base_records.get(path), self.blobs)


def _content(record: TreeRecord | None, blobs: BlobReader) -> bytes:
    if record is None or record.digest is UNSET:
        raise NotAFileError("there is no regular file")
    return blobs.read(record.digest)


def is_portable(check: Assertion) -> TypeGuard[Portable]:
    """Whether `check` is a function of bytes."""
    return isinstance(check, _PORTABLE)


def holds(check: Portable, at: Workspaces) -> bool:
    """Whether the portable assertion `check` holds of the workspaces `at`.

    Raises:
        MissingBlobError: a file's bytes are not here, so nobody can tell.
    """
    try:
        return _RULES[type(check)](check, at)
    except (NotAFileError, JsonTextError):
        return False


def file_exists(check: FileExists, at: Workspaces) -> bool:
    """A regular file is at the path."""
    record = at.graded_records.get(check.path)
    return record is not None and record.mode != "link"


def file_absent(check: FileAbsent, at: Workspaces) -> bool:
    """No file, no link and no folder is at the path."""
    below = check.path + "/"
    return not any(path == check.path or path.startswith(below) for path in at.graded_records)


def content_eq(check: ContentEq, at: Workspaces) -> bool:
    """The file holds exactly the UTF-8 bytes of the content."""
    return at.content(check.path) == check.content.encode()


def contains(check: Contains, at: Workspaces) -> bool:
    """The text occurs in the file's bytes."""
    return check.text.encode() in at.content(check.path)


def not_contains(check: NotContains, at: Workspaces) -> bool:
    """A file is there, and the text does not occur in its bytes."""
    return check.text.encode() not in at.content(check.path)


def json_equals(check: JsonEquals, at: Workspaces) -> bool:
    """File and value are JSON and mean the same."""
    return same_json(parse_json(at.content(check.path)), parse_json(check.value.encode()))


def line_count(data: bytes) -> int:
    """Lines of a file: its LF bytes, and one more for a last line without."""
    return data.count(b"\n") + (1 if data and not data.endswith(b"\n") else 0)


def line_count_delta(check: LineCountDelta, at: Workspaces) -> bool:
    """Lines now minus lines in the base workspace (none where it has no such file) lie within the bounds."""
    now = line_count(at.content(check.path))
    try:
        before = line_count(at.base_content(check.path))
    except NotAFileError:
        before = 0
    low = check.min_delta if check.min_delta is not UNSET else now - before
    high = check.max_delta if check.max_delta is not UNSET else now - before
    return low <= now - before <= high


def covers(pattern: str, path: str) -> bool:
    """Whether a path of a suite means `path`: itself, or with a final slash everything below."""
    return path == pattern or (pattern.endswith("/") and path.startswith(pattern))


def unchanged(check: Unchanged, at: Workspaces) -> bool:
    """Nothing that the paths cover was added, changed or removed."""
    return not any(covers(pattern, path) for pattern in check.paths for path in _changed(at))


def only_changed(check: OnlyChanged, at: Workspaces) -> bool:
    """Everything that changed is covered by the paths, and the seal refused no name."""
    if at.refused_total:
        return False
    return all(any(covers(pattern, path) for pattern in check.paths) for path in _changed(at))


def _changed(at: Workspaces) -> tuple[str, ...]:
    difference = compare_trees(at.base, at.final)
    return (*difference.added, *difference.modified, *difference.removed)


_RULES: Final[dict[type, Callable[..., bool]]] = {
    FileExists: file_exists,
    FileAbsent: file_absent,
    ContentEq: content_eq,
    Contains: contains,
    NotContains: not_contains,
    JsonEquals: json_equals,
    LineCountDelta: line_count_delta,
    Unchanged: unchanged,
    OnlyChanged: only_changed,
}

if set(_RULES) != set(_PORTABLE):  # pragma: no cover - a programmer's slip
    raise RuntimeError("every portable assertion needs its rule")
