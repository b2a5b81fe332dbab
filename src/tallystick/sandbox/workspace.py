"""Writing a workspace below an open directory, never through a link, with nothing of the clock in it.

Every function takes the workspace's directory fd and a path relative to it, with `/` between its parts.
"""

from __future__ import annotations

import contextlib
import errno
import os
from typing import Final

from tallystick.sandbox.spec import SandboxError
from tallystick.sandbox.walk import Found, FoundFile, FoundLink, Refused, walk

__all__ = ["MTIME_S", "Found", "FoundFile", "FoundLink", "Refused", "remove", "walk", "write_file", "write_link"]

MTIME_S: Final = 1_700_000_000
"""Modification time (Unix seconds) of everything in a workspace at the start: programs may print it or sort by it."""

_TIMES: Final = (MTIME_S * 10**9, MTIME_S * 10**9)
_DIRECTORY: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_NEW_FILE: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


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
    """Write a symbolic link (replacing a file or link of that name); the target is not looked at."""
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
        if any(part in ("", ".", "..") or "\0" in part for part in (*self._above, self._name)):
            raise SandboxError(f"not a path of a workspace: {path!r}; use a relative path without '.' and '..'")

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


def _write_all(fd: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]
