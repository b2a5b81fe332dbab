"""Git repositories built from pinned bytes: the `.git` folder an agent finds, and the one that a cohort's tasks come from.

No history, remote, hook or host git is involved, author and dates are constants, so every attempt sees the same commit id, and
who exports a workspace names the same one. The agent's folder belongs to no tree digest and does not survive the seal.
Formats: gitrepository-layout(5), gitformat-index(5).
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field

from tallystick.core.digest import Digest, git_checksum, git_object_id
from tallystick.records.base import UnsetType
from tallystick.records.blobs import BlobReader
from tallystick.records.tree import Tree, TreeRecord

__all__ = ["BareRepository", "bare_repository", "git_files"]

_WHO = b"Tallystick <tally@localhost> 1700000000 +0000"
_CONFIG = b"""[core]
\trepositoryformatversion = 0
\tfilemode = true
\tbare = false
\tlogallrefupdates = false
[user]
\tname = Agent
\temail = agent@localhost
"""
_BARE_CONFIG = b"""[core]
\trepositoryformatversion = 0
\tfilemode = true
\tbare = true
"""
_GIT_MODES = {"0644": 0o100644, "0755": 0o100755, "link": 0o120000}


@dataclass
class _Folder:
    files: dict[str, tuple[int, bytes]] = field(default_factory=dict)
    folders: dict[str, _Folder] = field(default_factory=dict)


class _Objects:
    """Loose objects by their path below `.git`."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}

    def add(self, kind: str, data: bytes) -> bytes:
        name = git_object_id(kind, data)
        text = name.hex()
        self.files[f"objects/{text[:2]}/{text[2:]}"] = zlib.compress(f"{kind} {len(data)}\0".encode() + data, 1)
        return name


def git_files(tree: Tree, blobs: BlobReader) -> dict[str, bytes]:
    """Content by path (below the workspace) of a `.git` whose only commit holds `tree`."""
    objects = _Objects()
    commit, entries = _add_commit(tree, blobs, objects)
    files = {
        "HEAD": b"ref: refs/heads/main\n",
        "config": _CONFIG,
        "refs/heads/main": commit.hex().encode() + b"\n",
        "index": _index(entries),
        **objects.files,
    }
    return {f".git/{path}": data for path, data in files.items()}


@dataclass(frozen=True, slots=True)
class BareRepository:
    """A bare repository: `files` by their path in it, and the commit (40 hex digits) of each branch."""

    files: Mapping[str, bytes]
    revisions: Mapping[str, str]


def bare_repository(branches: Mapping[str, Tree], blobs: BlobReader) -> BareRepository:
    """A repository with one commit on each branch, which holds its tree; the first branch is its HEAD.

    Args:
        branches: trees by names that Git takes for branches; at least one.
        blobs: the contents of their files; raises `MissingBlobError` where it has one not.
    """
    objects = _Objects()
    revisions = {name: _add_commit(tree, blobs, objects)[0].hex() for name, tree in branches.items()}
    refs = {f"refs/heads/{name}": f"{revision}\n".encode() for name, revision in revisions.items()}
    head = f"ref: refs/heads/{next(iter(branches))}\n".encode()
    return BareRepository({"HEAD": head, "config": _BARE_CONFIG, **refs, **objects.files}, revisions)


def _add_commit(tree: Tree, blobs: BlobReader, objects: _Objects) -> tuple[bytes, list[bytes]]:
    """(name of the commit that holds `tree`, entries of an index that agrees with it)."""
    top, entries = _Folder(), []
    for record in tree.records:
        content = record.target.encode() if isinstance(record.target, str) else blobs.read(_digest(record))
        mode, name = _GIT_MODES[record.mode], objects.add("blob", content)
        _place(top, record.path, mode, name)
        entries.append(_index_entry(record.path, mode, name))
    return objects.add("commit", _commit(_write_folder(top, objects))), entries


def _digest(record: TreeRecord) -> Digest:
    if isinstance(record.digest, UnsetType):
        raise TypeError(f"{record.path} is a link and has no digest")
    return record.digest


def _place(top: _Folder, path: str, mode: int, name: bytes) -> None:
    *above, last = path.split("/")
    folder = top
    for part in above:
        folder = folder.folders.setdefault(part, _Folder())
    folder.files[last] = (mode, name)


def _write_folder(folder: _Folder, objects: _Objects) -> bytes:
    rows = [(name.encode(), mode, digest) for name, (mode, digest) in folder.files.items()]
    rows += [(name.encode() + b"/", 0o40000, _write_folder(below, objects)) for name, below in folder.folders.items()]
    rows.sort()  # git sorts folders as if their names ended in "/"
    return objects.add("tree", b"".join(b"%o %s\0%s" % (mode, name.rstrip(b"/"), digest) for name, mode, digest in rows))


def _commit(tree: bytes) -> bytes:
    return b"tree %s\nauthor %s\ncommitter %s\n\nbase workspace\n" % (tree.hex().encode(), _WHO, _WHO)


def _index_entry(path: str, mode: int, name: bytes) -> bytes:
    raw = path.encode()
    # Stat fields are zero: git looks at the content once and refreshes them.
    entry = struct.pack(">10I", 0, 0, 0, 0, 0, 0, mode, 0, 0, 0) + name + struct.pack(">H", min(len(raw), 0xFFF)) + raw
    return entry + b"\0" * (8 - len(entry) % 8)


def _index(entries: list[bytes]) -> bytes:
    body = struct.pack(">4sII", b"DIRC", 2, len(entries)) + b"".join(entries)
    return body + git_checksum(body)
