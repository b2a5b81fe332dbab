"""Reading a workspace that hostile code wrote: the walk under the seal.

Rules: a name is opened with O_PATH|O_NOFOLLOW, looked at with fstat, and only then opened for reading, through that same
fd (`/proc/self/fd/N`), so nothing can be swapped in between and no FIFO or device is ever opened. Links are never
followed. Names, entries, depth and bytes are bounded, so the worst workspace costs a bounded time.
"""

from __future__ import annotations

import contextlib
import os
import stat
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tallystick.core.limits import BLOB_BYTES, PATH_BYTES
from tallystick.records.paths import workspace_path_problem
from tallystick.sandbox.spec import Limits

__all__ = ["Found", "FoundFile", "FoundLink", "Refused", "walk"]

DEPTH: Final = 64
"""Folders below each other. Deep honest trees (node_modules) have thirty; each level holds one fd open."""

REFUSALS: Final = 1000
"""Refusals named one by one; after these the walk ends with one that says so."""

_LOOK: Final = os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC
_READ: Final = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC
_KINDS: Final = {
    stat.S_IFIFO: "is a fifo",
    stat.S_IFSOCK: "is a socket",
    stat.S_IFCHR: "is a device",
    stat.S_IFBLK: "is a device",
}


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A regular file. `fd` is open for reading until the walk goes on; read at most `size` bytes from it."""

    path: bytes
    mode: int
    """Permission bits as the agent left them."""
    fd: int
    size: int


@dataclass(frozen=True, slots=True)
class FoundLink:
    """A symbolic link, with its target as it is written; it may point anywhere."""

    path: bytes
    target: bytes


@dataclass(frozen=True, slots=True)
class Refused:
    """Something that cannot be part of a tree, and why: a predicate ("is a fifo"), or a bound ("too many files")."""

    path: bytes
    reason: str


Found = FoundFile | FoundLink | Refused


class _Stop(Exception):  # noqa: N818 - control flow inside this file, never seen outside
    """The walk is over: a bound of the whole workspace was passed."""

    def __init__(self, last: Refused) -> None:
        super().__init__(last.reason)
        self.last = last


def walk(dirfd: int, limits: Limits) -> Iterator[Found]:
    """Yield every file and link below `dirfd`, and a `Refused` for whatever else is there.

    Folders come in the order of their names' bytes; empty folders and a top-level `.git` yield nothing. When a bound of
    the whole workspace is passed, the last thing yielded is the Refused that names it. Raises OSError only for the
    machine's own failures.
    """
    walker = _Walk(limits)
    _make_readable(dirfd, os.fstat(dirfd), 0o500)
    try:
        yield from walker.folder(dirfd)
    except _Stop as stop:
        yield stop.last


class _Walk:
    """The budgets of one walk, and its recursion (bounded by DEPTH)."""

    def __init__(self, limits: Limits) -> None:
        self._bytes = limits.workspace_bytes
        self._entries = limits.workspace_files
        self._refusals = REFUSALS

    def folder(self, fd: int, prefix: bytes = b"", depth: int = 0) -> Iterator[Found]:
        for name in self._names(fd, prefix):
            if depth or name != b".git":
                yield from self._entry(fd, prefix + name, name, depth)

    def _names(self, fd: int, prefix: bytes) -> list[bytes]:
        """The sorted names in a folder; a folder with more than the budget ends the walk without being read through."""
        names = []
        reader = _reopen(fd, _READ | os.O_DIRECTORY)
        try:
            with os.scandir(reader) as entries:
                for entry in entries:
                    self._entries -= 1
                    if self._entries < 0:
                        raise _Stop(Refused(prefix.rstrip(b"/"), "too many files"))
                    names.append(os.fsencode(entry.name))
        finally:
            os.close(reader)
        return sorted(names)

    def _entry(self, parent: int, path: bytes, name: bytes, depth: int) -> Iterator[Found]:
        reason = _bad_text(name) or workspace_path_problem(os.fsdecode(path))
        if reason:
            yield self._refuse(path[: PATH_BYTES + 1], reason)
            return
        try:
            fd = os.open(name, _LOOK, dir_fd=parent)
        except FileNotFoundError:
            return
        try:
            yield from self._opened(fd, path, depth)
        finally:
            os.close(fd)

    def _opened(self, fd: int, path: bytes, depth: int) -> Iterator[Found]:
        status = os.fstat(fd)
        kind = stat.S_IFMT(status.st_mode)
        if kind == stat.S_IFDIR and depth + 1 >= DEPTH:
            yield self._refuse(path, "is too deep")
        elif kind == stat.S_IFDIR:
            _make_readable(fd, status, 0o500)
            yield from self.folder(fd, path + b"/", depth + 1)
        elif kind == stat.S_IFREG:
            yield from self._file(fd, path, status)
        elif kind == stat.S_IFLNK:
            yield self._link(fd, path)
        else:
            yield self._refuse(path, _KINDS.get(kind, "is of an unknown kind"))

    def _file(self, fd: int, path: bytes, status: os.stat_result) -> Iterator[Found]:
        if status.st_size > min(self._bytes, BLOB_BYTES):  # what no store gives back must not get into one
            yield self._refuse(path, "is too large")
            return
        self._bytes -= status.st_size
        _make_readable(fd, status, 0o400)
        reader = _reopen(fd, _READ)
        try:
            yield FoundFile(path, stat.S_IMODE(status.st_mode), reader, status.st_size)
        finally:
            os.close(reader)

    def _link(self, fd: int, path: bytes) -> Found:
        target = os.fsencode(os.readlink("", dir_fd=fd))
        reason = _bad_text(target)
        if reason:
            return self._refuse(path, "link target " + reason)
        return FoundLink(path, target)

    def _refuse(self, path: bytes, reason: str) -> Refused:
        self._refusals -= 1
        if self._refusals < 0:
            raise _Stop(Refused(path, "too many refusals"))
        return Refused(path, reason)


def _reopen(fd: int, flags: int) -> int:
    """Open what an O_PATH fd stands for: the same inode, whatever its name leads to by now."""
    return os.open(f"/proc/self/fd/{fd}", flags)


def _make_readable(fd: int, status: os.stat_result, bits: int) -> None:
    """Give the owner `bits` on what the fd stands for, so that a `chmod 000` hides nothing from a user who is not root."""
    if status.st_mode & bits != bits:
        with contextlib.suppress(PermissionError):
            Path(f"/proc/self/fd/{fd}").chmod(stat.S_IMODE(status.st_mode) | bits)


def _bad_text(text: bytes) -> str | None:
    """Why bytes cannot stand as text in a document: they are not UTF-8, or hold a control character."""
    try:
        chars = text.decode("utf-8")
    except UnicodeDecodeError:
        return "is not UTF-8"
    return "has a control character" if any(unicodedata.category(char) == "Cc" for char in chars) else None
