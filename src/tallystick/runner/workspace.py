"""The two ends of a workspace's life: filled from a tree, and sealed into one.

The seal reads only after everything the agent started is dead. What cannot be recorded is refused, listed, and counts as a
change outside the allowed files.
"""

from __future__ import annotations

import string
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from tallystick.recording.blobs import BlobStore
from tallystick.records.base import UnsetType
from tallystick.records.blobs import BlobReader
from tallystick.records.journal import Refusal, RefusedPath
from tallystick.records.paths import link_problem, workspace_path_problem
from tallystick.records.tree import Tree, TreeRecord, file_record, link_record, make_tree
from tallystick.sandbox.spec import Limits
from tallystick.sandbox.workspace import Found, FoundFile, FoundLink, Refused, walk, write_file, write_link

__all__ = ["Sealed", "filler", "seal", "seal_records"]

REFUSALS_LISTED = 100
_PLAIN = frozenset(string.ascii_letters + string.digits + string.punctuation + " ") - {"%"}
_MODES = {"0644": 0o644, "0755": 0o755}
_REASONS: dict[str, Refusal] = {
    "is a fifo": "fifo",
    "is a socket": "socket",
    "is a device": "device",
    "is of an unknown kind": "device",
    "is too large": "too_large",
    "is too deep": "too_deep",
    "too many files": "too_many",
    "too many refusals": "too_many",
}
"""What the walk says of a thing, as evidence says it. What it says of a name or a link is not listed: see `_reason`."""


@dataclass(frozen=True, slots=True)
class Sealed:
    """A workspace as it was left."""

    tree: Tree
    refused: tuple[RefusedPath, ...]
    refused_total: int


def filler(tree: Tree, blobs: BlobReader, extra: Mapping[str, bytes] | None = None) -> Callable[[int], None]:
    """A function that writes `tree` (and `extra` files) below a directory descriptor."""

    def fill(dirfd: int) -> None:
        for record in tree.records:
            if isinstance(record.target, str):
                write_link(dirfd, record.path, record.target)
            elif not isinstance(record.digest, UnsetType):
                write_file(dirfd, record.path, _MODES[record.mode], blobs.read(record.digest))
        for path, data in (extra or {}).items():
            write_file(dirfd, path, 0o644, data)

    return fill


def escape(path: bytes) -> str:
    """A path for the record whatever its bytes: what is no printable ASCII is written as `%XX`."""
    return "".join(chr(byte) if chr(byte) in _PLAIN else f"%{byte:02X}" for byte in path)[:4096]


class _Collector:
    """Turns what is found into records, refusing what a tree cannot hold."""

    def __init__(self) -> None:
        self.records: list[TreeRecord] = []
        self.refused: list[tuple[bytes, Refusal]] = []

    def take(self, found: Found, store: BlobStore) -> None:
        if isinstance(found, Refused):
            self.refused.append((found.path, _reason(found.reason)))
            return
        name = _readable(found.path)
        if name is None:
            self.refused.append((found.path, "bad_name"))
        elif isinstance(found, FoundLink):
            self.link(name, found.target)
        else:
            self._file(name, found, store)

    def _file(self, name: str, found: FoundFile, store: BlobStore) -> None:
        digest = store.put_fd(found.fd, found.size)
        self.records.append(file_record(name, digest, found.size, executable=bool(found.mode & 0o100)))

    def link(self, name: str, target: bytes) -> None:
        text = _text(target)
        if text is None or link_problem(name, text):
            self.refused.append((name.encode(), "link_leaves"))
        else:
            self.records.append(link_record(name, text))

    def sealed(self) -> Sealed:
        ordered = sorted(self.refused)
        listed = tuple(RefusedPath(path=escape(path), reason=reason) for path, reason in ordered[:REFUSALS_LISTED])
        return Sealed(make_tree(self.records), listed, len(ordered))


def _reason(said: str) -> Refusal:
    """The walk's reason in the words of evidence; whatever else it may say is about a link's target or a name."""
    return _REASONS.get(said, "link_leaves" if said.startswith("link target") else "bad_name")


def _text(raw: bytes) -> str | None:
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        return None
    return None if any(unicodedata.category(char) == "Cc" for char in text) else text


def _readable(path: bytes) -> str | None:
    text = _text(path)
    return None if text is None or workspace_path_problem(text) else text


def seal(dirfd: int, limits: Limits, store: BlobStore) -> Sealed:
    """Read the workspace below `dirfd` into `store`, hashing while copying, following no link."""
    collector = _Collector()
    for found in walk(dirfd, limits):
        collector.take(found, store)
    return collector.sealed()


def seal_records(records: Iterable[TreeRecord]) -> Sealed:
    """The seal of a workspace that no program touched: the same rules, without files."""
    collector = _Collector()
    for record in records:
        if isinstance(record.target, str):
            collector.link(record.path, record.target.encode())
        else:
            collector.records.append(record)
    return collector.sealed()
