"""`candidate.patch`: what an attempt made of its workspace, as a patch that `git apply` takes.

Bytes that are no text, and files too long to compare, stand in it as `Binary files ... differ`; the tree beside the patch
has their digests. Format: git-diff(1), "Generating patch text with -p". Paths are an agent's, so quoted as Git does it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tallystick.records.base import UnsetType
from tallystick.records.blobs import BlobReader, MissingBlobError
from tallystick.records.tree import Tree, TreeRecord, compare_trees
from tallystick.scoring.differ import unified

__all__ = ["PATCH_BYTES", "TEXT_BYTES", "candidate_patch"]

TEXT_BYTES: Final = 1024 * 1024
"""Bytes of a file that is compared line by line."""
PATCH_BYTES: Final = 16 * 1024 * 1024
"""Bytes of a patch, after which further files are named and not compared."""
_MODES: Final = {"0644": "100644", "0755": "100755", "link": "120000"}
_NO_END: Final = "\n\\ No newline at end of file"
"""Behind a last line without a line feed; no line holds one itself."""
_PLAIN: Final = range(0x20, 0x7F)


def candidate_patch(base: Tree, final: Tree, blobs: BlobReader) -> bytes:
    """The patch from `base` to `final`; nothing where they are equal."""
    old, new = base.by_path(), final.by_path()
    changed = compare_trees(base, final)
    pieces: list[bytes] = []
    size = 0
    for path in sorted((*changed.added, *changed.modified, *changed.removed), key=str.encode):
        piece = "".join(f"{line}\n" for line in _file(path, old.get(path), new.get(path), blobs, compare=size < PATCH_BYTES))
        pieces.append(piece.encode())
        size += len(pieces[-1])
    return b"".join(pieces)


def _file(path: str, before: TreeRecord | None, after: TreeRecord | None, blobs: BlobReader, *, compare: bool) -> Iterator[str]:
    kinds = {record.mode == "link" for record in (before, after) if record is not None}
    if len(kinds) > 1:  # a file that became a link, or the other way round: Git removes one and adds the other
        yield from _file(path, before, None, blobs, compare=compare)
        yield from _file(path, None, after, blobs, compare=compare)
        return
    left, right = (_quoted(f"{side}/{path}") for side in "ab")
    yield f"diff --git {left} {right}"
    yield from _modes(before, after)
    if before is not None and after is not None and before.digest == after.digest and before.target == after.target:
        return
    names = ("/dev/null" if before is None else left), ("/dev/null" if after is None else right)
    texts = [_lines(record, blobs) if compare else None for record in (before, after)]
    if texts[0] is None or texts[1] is None:
        yield f"Binary files {names[0]} and {names[1]} differ"
        return
    lines = list(unified(texts[0], texts[1]))
    if lines:
        tab = "\t" if " " in path and not left.startswith('"') else ""
        yield f"--- {names[0]}{tab if before is not None else ''}"
        yield f"+++ {names[1]}{tab if after is not None else ''}"
        yield from lines


def _modes(before: TreeRecord | None, after: TreeRecord | None) -> Iterator[str]:
    if before is None and after is not None:
        yield f"new file mode {_MODES[after.mode]}"
    elif before is not None and after is None:
        yield f"deleted file mode {_MODES[before.mode]}"
    elif before is not None and after is not None and before.mode != after.mode:
        yield f"old mode {_MODES[before.mode]}"
        yield f"new mode {_MODES[after.mode]}"


def _lines(record: TreeRecord | None, blobs: BlobReader) -> list[str] | None:
    """Lines without their line feeds, none for no file; None for what is no text, too long, or not here."""
    if record is None:
        return []
    if isinstance(record.digest, UnsetType) or isinstance(record.size, UnsetType):
        return [f"{record.target}{_NO_END}"]
    if record.size > TEXT_BYTES:
        return None
    try:
        text = blobs.read(record.digest).decode()
    except (UnicodeDecodeError, MissingBlobError):
        return None
    if "\0" in text:
        return None
    lines = text.split("\n")
    last = lines.pop()
    return [*lines, f"{last}{_NO_END}"] if last else lines


def _quoted(path: str) -> str:
    raw = path.encode()
    if all(byte in _PLAIN and byte not in b'"\\' for byte in raw):
        return path
    inside = "".join(chr(byte) if byte in _PLAIN and byte not in b'"\\' else _escaped(byte) for byte in raw)
    return f'"{inside}"'


def _escaped(byte: int) -> str:
    return f"\\{chr(byte)}" if byte in b'"\\' else f"\\{byte:03o}"
