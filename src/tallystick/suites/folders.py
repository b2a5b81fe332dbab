"""Folders of an authoring form as trees: which files count, in which mode, under which names."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from tallystick.core import limits
from tallystick.core.digest import Digest, Hasher
from tallystick.records.paths import link_problem, suite_path_problem
from tallystick.records.tree import Tree, TreeRecord, file_record, link_record, make_tree
from tallystick.suites.integrity import spelling_clash
from tallystick.suites.yaml_values import AuthoringError

__all__ = ["REMOVES_FILE", "Folder", "is_litter", "read_folder", "read_removes"]

REMOVES_FILE: Final = ".tally-removes"
"""In an overlay's folder: the paths that the overlay removes, one a line; blank lines count for nothing."""

_CHUNK: Final = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder's tree, and the file that holds each content."""

    tree: Tree
    files: dict[Digest, Path] = field(default_factory=dict)


def is_litter(name: str) -> bool:
    """What tools leave behind and no suite means: bytecode (pip writes it into installed packages) and .DS_Store."""
    return name in {"__pycache__", ".DS_Store"} or name.endswith(".pyc")


def read_folder(folder: Path) -> Folder:
    """The regular files and links below `folder`; a folder that is not there is empty.

    Files have mode 0755 where their owner may execute them, else 0644. Empty folders are not recorded. `REMOVES_FILE` at
    the top is not part of the tree.

    Raises:
        AuthoringError: another kind of file, a bad or doubled name, a link that may lead out, or too much.
    """
    if not os.path.lexists(folder):
        return Folder(make_tree([]))
    if folder.is_symlink() or not folder.is_dir():
        raise AuthoringError(f"{folder}: expected a folder")
    files: dict[Digest, Path] = {}
    records = [_record(path, name, files) for name, path in _entries(folder)]
    if len(records) > limits.TREE_RECORDS:
        raise AuthoringError(f"{folder}: more than {limits.TREE_RECORDS} files")
    clash = spelling_clash([record.path for record in records])
    if clash:
        raise AuthoringError(f"{folder}: {clash}")
    return Folder(make_tree(records), files)


def _entries(folder: Path) -> list[tuple[str, Path]]:
    """(relative path, path) of everything below `folder` that is no folder, litter left out."""
    found: list[tuple[str, Path]] = []
    waiting = [("", folder)]
    while waiting:
        prefix, place = waiting.pop()
        for entry in sorted(os.scandir(place), key=lambda entry: entry.name):
            if is_litter(entry.name) or (not prefix and entry.name == REMOVES_FILE):
                continue
            name = prefix + entry.name
            problem = suite_path_problem(name)
            if problem:
                raise AuthoringError(f"{folder}: the path {name[:80]!r} {problem}")
            if entry.is_dir(follow_symlinks=False):
                waiting.append((name + "/", Path(entry.path)))
            else:
                found.append((name, Path(entry.path)))
    return found


def _record(path: Path, name: str, files: dict[Digest, Path]) -> TreeRecord:
    status = path.lstat()
    if stat.S_ISLNK(status.st_mode):
        target = os.readlink(path)  # noqa: PTH115  # Path.readlink rewrites `./a` and `a/`
        problem = link_problem(name, target) or (None if target.isprintable() else "is not printable text")
        if problem:
            raise AuthoringError(f"{path}: a link whose target {target[:80]!r} {problem}")
        return link_record(name, target)
    if not stat.S_ISREG(status.st_mode):
        raise AuthoringError(f"{path}: expected a regular file or a link")
    digest, size = _digest(path)
    files[digest] = path
    return file_record(name, digest, size, executable=bool(status.st_mode & stat.S_IXUSR))


def _digest(path: Path) -> tuple[Digest, int]:
    hasher, size = Hasher(), 0
    with path.open("rb") as stream:
        while chunk := stream.read(_CHUNK):
            size += len(chunk)
            if size > limits.BLOB_BYTES:
                raise AuthoringError(f"{path}: more than {limits.BLOB_BYTES} bytes")
            hasher.update(chunk)
    return hasher.digest(), size


def read_removes(folder: Path, base: Tree) -> tuple[str, ...]:
    """The paths that an overlay removes from `base`, sorted; a trailing `/` is allowed for a folder.

    Raises:
        AuthoringError: a line that names nothing of `base`.
    """
    file = folder / REMOVES_FILE
    if not file.is_file():
        return ()
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError:
        raise AuthoringError(f"{file}: not UTF-8") from None
    there = {record.path for record in base.records}
    removes = set()
    for number, line in enumerate(lines, 1):
        path = line.strip().rstrip("/")
        if not path:
            continue
        if path not in there and not any(name.startswith(path + "/") for name in there):
            raise AuthoringError(f"{file}:{number}: the workspace has no {path!r} to remove")
        removes.add(path)
    return tuple(sorted(removes, key=str.encode))
