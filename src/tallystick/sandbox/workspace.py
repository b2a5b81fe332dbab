"""Writing a workspace below an open directory, never through a link, with nothing of the clock in it.

Every function that writes takes the workspace's directory fd and a path relative to it, with `/` between its parts.
"""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Callable, Mapping
from typing import Final

from tallystick.sandbox.spec import SandboxError
from tallystick.sandbox.walk import Found, FoundFile, FoundLink, Refused, walk

__all__ = [
    "MTIME_S",
    "FillError",
    "Found",
    "FoundFile",
    "FoundLink",
    "Refused",
    "fill_home",
    "fill_workspace",
    "remove",
    "walk",
    "write_file",
    "write_link",
]

MTIME_S: Final = 1_700_000_000
"""Modification time (Unix seconds) of everything in a workspace at the start: programs may print it or sort by it."""

_TIMES: Final = (MTIME_S * 10**9, MTIME_S * 10**9)
_DIRECTORY: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_NEW_FILE: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_NAME_BYTES: Final = 255
"""NAME_MAX of limits.h, the same on every file system that matters here."""
_TARGET_BYTES: Final = 4095
"""PATH_MAX of limits.h without its NUL."""


class FillError(SandboxError):
    """The file system refused a file of the workspace, mostly because the workspace is full."""


def fill_workspace(fill: Callable[[int], None], dirfd: int) -> None:
    """Let `fill` write below `dirfd` before anything runs there.

    Raises:
        FillError: the file system refused. Whatever else `fill` raises comes out as it is.
    """
    try:
        fill(dirfd)
        os.utime(dirfd, ns=_TIMES)
    except OSError as error:
        status = os.fstatvfs(dirfd)
        room = f"{status.f_blocks * status.f_frsize >> 20} MiB"
        name = f" {error.filename!r}" if error.filename else ""
        raise FillError(
            f"cannot write the files of a task into its workspace of {room}:{name} {error.strerror}; see the task's limits"
        ) from error


def fill_home(files: Mapping[str, bytes], dirfd: int) -> None:
    """Write the files of a home folder below `dirfd`.

    Raises:
        FillError: the file system refused.
    """
    try:
        for path, data in files.items():
            write_file(dirfd, path, 0o644, data)
    except OSError as error:
        name = f" {error.filename!r}" if error.filename else ""
        raise FillError(
            f"cannot write the agent's files into its home:{name} {error.strerror}; see the task's limits"
        ) from error


def write_file(dirfd: int, path: str, mode: int, data: bytes) -> None:
    """Write a file (replacing a file or link of that name) with permission bits `mode`; parents are made."""
    with _Parent(dirfd, path, make=True) as (parent, name):
        with contextlib.suppress(FileNotFoundError):
            os.unlink(name, dir_fd=parent)
        fd = os.open(name, _NEW_FILE, 0o600, dir_fd=parent)
        try:
            _write_all(fd, data)
            os.fchmod(fd, mode)
            os.utime(fd, ns=_TIMES)
        finally:
            os.close(fd)


def write_link(dirfd: int, path: str, target: str) -> None:
    """Write a symbolic link (replacing a file or link of that name); where the target leads is not looked at."""
    if not _writable(target, _TARGET_BYTES):
        raise SandboxError(f"not a target of a link: {target[:100]!r}; it has 1 to {_TARGET_BYTES} bytes of UTF-8 without NUL")
    with _Parent(dirfd, path, make=True) as (parent, name):
        with contextlib.suppress(FileNotFoundError):
            os.unlink(name, dir_fd=parent)
        os.symlink(target, name, dir_fd=parent)
        os.utime(name, ns=_TIMES, dir_fd=parent, follow_symlinks=False)


def remove(dirfd: int, path: str) -> None:
    """Remove a file or link, and the folders that this leaves empty (a tree has no empty folders)."""
    with _Parent(dirfd, path, make=False) as (parent, name):
        os.unlink(name, dir_fd=parent)
    parts = path.split("/")[:-1]
    while parts:
        with _Parent(dirfd, "/".join(parts), make=False) as (parent, name):
            try:
                os.rmdir(name, dir_fd=parent)
            except OSError as error:
                if error.errno in (errno.ENOTEMPTY, errno.EEXIST):
                    return
                raise
        parts.pop()


class _Parent:
    """The directory that holds a path's last part, opened component by component; times are set again on leaving."""

    def __init__(self, dirfd: int, path: str, *, make: bool) -> None:
        self._fds: list[int] = []
        self._dirfd, self._make = dirfd, make
        *self._above, self._name = path.split("/")
        if any(part in (".", "..") or not _writable(part, _NAME_BYTES) for part in (*self._above, self._name)):
            raise SandboxError(
                f"not a path of a workspace: {path[:300]!r}; use a relative path without '.' and '..', "
                f"each part of at most {_NAME_BYTES} bytes of UTF-8"
            )

    def __enter__(self) -> tuple[int, str]:
        try:
            self._fds.append(os.open(".", _DIRECTORY, dir_fd=self._dirfd))
            for part in self._above:
                self._fds.append(self._step(self._fds[-1], part))
        except BaseException:
            self.__exit__()
            raise
        return self._fds[-1], self._name

    def _step(self, parent: int, part: str) -> int:
        if self._make:
            with contextlib.suppress(FileExistsError):
                os.mkdir(part, dir_fd=parent)
                fd = os.open(part, _DIRECTORY, dir_fd=parent)
                os.fchmod(fd, 0o755)
                return fd
        return os.open(part, _DIRECTORY, dir_fd=parent)

    def __exit__(self, *_: object) -> None:
        while self._fds:
            fd = self._fds.pop()
            with contextlib.suppress(OSError):
                os.utime(fd, ns=_TIMES)
            os.close(fd)


def _writable(text: str, most: int) -> bool:
    """Whether a file system takes `text` as a name or target: not empty, no NUL, at most so many bytes."""
    try:
        return bool(text) and "\0" not in text and len(text.encode()) <= most
    except UnicodeEncodeError:
        return False


def _write_all(fd: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]
