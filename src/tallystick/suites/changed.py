"""What changed between two trees, in lines and secrets: the measures of the static judge that are functions of bytes.

Defined once, for whoever judges and whoever derives a judgement again. Specification: docs/spec/judgement.md.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any, Final

from tallystick.core.exact import to_num
from tallystick.records.base import UNSET
from tallystick.records.blobs import BlobReader
from tallystick.records.evidence import Excluded, ExcludedReason
from tallystick.records.judgement import Size
from tallystick.records.task import Task
from tallystick.records.traffic.secrets import find_secrets
from tallystick.records.tree import Tree, TreeRecord, apply_overlay, compare_trees

__all__ = [
    "FILE_BYTES",
    "byte_measures",
    "changed_records",
    "is_python",
    "lines_of",
    "python_records",
    "reference_of",
    "size_of",
]

FILE_BYTES: Final = 1024 * 1024
"""Bytes of a file whose lines are counted and which is searched for secrets; a longer one counts as a file only."""
_FILES: Final = 2000
"""Changed files, in the order of their paths, that are looked into."""
_OUTSIDE: Final[frozenset[ExcludedReason]] = frozenset({"protected", "steering", "leaves"})

Pair = tuple[TreeRecord | None, TreeRecord | None]
"""A path's record before and after."""


def changed_records(before: Tree, after: Tree) -> Iterator[Pair]:
    """What was added, removed, or has other content, in the order of paths; modes and links do not count."""
    old, new = before.by_path(), after.by_path()
    found = compare_trees(before, after)
    for path in sorted((*found.added, *found.modified, *found.removed), key=str.encode):
        pair = old.get(path), new.get(path)
        digests = {UNSET if record is None else record.digest for record in pair}
        if len(digests) > 1:
            yield pair


def python_records(before: Tree, after: Tree) -> tuple[Pair, ...]:
    """The changed Python files: regular files whose name ends in `.py`, on either side."""
    return tuple(pair for pair in changed_records(before, after) if any(is_python(record) for record in pair))


def is_python(record: TreeRecord | None) -> bool:
    """Whether a record is a Python file."""
    return record is not None and record.digest is not UNSET and record.path.endswith(".py")


def lines_of(data: bytes) -> Counter[bytes]:
    """Lines with something in them, by their bytes without what surrounds them (LF, CR LF and CR end a line)."""
    lines = (line.strip(b" \t\r\f\v") for line in data.replace(b"\r", b"\n").split(b"\n"))
    return Counter(line for line in lines if line)


def size_of(pairs: Sequence[Pair], blobs: BlobReader) -> Size:
    """How much changed. Raises `MissingBlobError`."""
    added = removed = 0
    for before, after in pairs[:_FILES]:
        old, new = lines_of(content(before, blobs)), lines_of(content(after, blobs))
        added += (new - old).total()
        removed += (old - new).total()
    return Size(files=len(pairs), added=added, removed=removed)


def content(record: TreeRecord | None, blobs: BlobReader) -> bytes:
    """Bytes of a file short enough to be looked into; nothing for every other record. Raises `MissingBlobError`."""
    if record is None or record.digest is UNSET or record.size is UNSET or record.size > FILE_BYTES:
        return b""
    return blobs.read(record.digest)


def _secrets(pairs: Sequence[Pair], blobs: BlobReader) -> int:
    """Shapes of keys in changed files that their base does not hold as often."""
    return sum(
        max(0, len(find_secrets(content(after, blobs))) - len(find_secrets(content(before, blobs))))
        for before, after in pairs[:_FILES]
    )


def reference_of(task: Task, base: Tree, solution: Tree | None, blobs: BlobReader) -> Size | None:
    """The size of the reference solution, or None where the task has none that changes a line. Raises `MissingBlobError`."""
    if task.solution is UNSET or solution is None:
        return None
    pairs = tuple(changed_records(base, apply_overlay(base, solution, task.solution.removes)))
    size = size_of(pairs, blobs)
    return size if size.added + size.removed else None


def byte_measures(
    base: Tree, graded: Tree, excluded: Sequence[Excluded], reference: Size | None, blobs: BlobReader
) -> dict[str, Any]:
    """The members of a judgement that are functions of bytes; raises `MissingBlobError` where a changed file is not here."""
    pairs = tuple(changed_records(base, graded))
    size = size_of(pairs, blobs)
    ratio = None if reference is None else Fraction(size.added + size.removed, reference.added + reference.removed)
    return {
        "size": size,
        "secrets": _secrets(pairs, blobs),
        "excluded": sum(one.reason in _OUTSIDE for one in excluded),
        "reference": UNSET if reference is None else reference,
        "ratio": UNSET if ratio is None else to_num(ratio),
    }
