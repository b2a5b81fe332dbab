"""Files that are whole, old or absent after a kill or a power cut at any moment.

A file is written under a scratch name, flushed to disk and renamed. The writer holds a lock (flock) on the scratch file until
it has its name, so a scratch file that nobody holds was left by a killed process, and `sweep` removes it.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tallystick.core.errors import TallyError

__all__ = ["Scratch", "StoreError", "failing_clearly", "scratch_file", "sweep", "write_durably"]

SCRATCH: Final = ".tally-new-"
"""How the names of scratch files begin."""

_NEW: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


class StoreError(TallyError):
    """The state folder cannot be read or written (full disk, no permission, damaged file)."""

    exit_code = 2


@contextlib.contextmanager
def failing_clearly(path: Path) -> Iterator[None]:
    """Turns an OSError below `path` into one clear line."""
    try:
        yield
    except OSError as error:
        raise StoreError(
            f"cannot write below {path}: {error.strerror}; free some space or name another folder with --state"
        ) from None


class Scratch:
    """A file under its scratch name, open for writing."""

    def __init__(self, path: Path, fd: int) -> None:
        self.fd = fd
        self._path = path

    def write(self, data: bytes) -> None:
        """Append all of `data`."""
        view = memoryview(data)
        while view:
            view = view[os.write(self.fd, view) :]

    def become(self, target: Path, *, sync_folder: bool = True) -> None:
        """Flush to disk and take the final name; whatever had it is replaced."""
        os.fsync(self.fd)
        self._path.replace(target)
        if sync_folder:
            _sync(target.parent)

    def become_new(self, target: Path) -> bool:
        """As `become`, but nothing is replaced: False where `target` is there already."""
        os.fsync(self.fd)
        try:
            os.link(self._path, target)
        except FileExistsError:
            return False
        _sync(target.parent)
        return True


@contextlib.contextmanager
def scratch_file(folder: Path) -> Iterator[Scratch]:
    """A new scratch file in `folder`; it is gone afterwards unless it became something. Raises OSError."""
    path, fd = _claim(folder)
    try:
        yield Scratch(path, fd)
    finally:
        # Before the lock goes: after it, another process may sweep, and the name is free for nobody else.
        path.unlink(missing_ok=True)
        os.close(fd)


def _claim(folder: Path) -> tuple[Path, int]:
    """A new scratch file, locked. One that was swept between its making and its locking has no name any more: another one."""
    while True:
        path = folder / f"{SCRATCH}{secrets.token_hex(8)}"
        fd = os.open(path, _NEW, 0o644)
        fcntl.flock(fd, fcntl.LOCK_EX)
        if os.fstat(fd).st_nlink:
            return path, fd
        os.close(fd)


def sweep(folder: Path) -> None:
    """Remove the scratch files of killed processes from `folder`; what cannot be removed stays."""
    for path in folder.glob(f"{SCRATCH}*"):
        with contextlib.suppress(OSError):
            fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
            try:
                fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
                path.unlink()
            finally:
                os.close(fd)


def write_durably(path: Path, data: bytes, *, scratch: Path | None = None, sync_folder: bool = True) -> None:
    """Write `data` to `path`, by way of a file in `scratch` (a folder of the same file system; else the path's own).

    Raises:
        StoreError: the file system refused.
    """
    with failing_clearly(path.parent), scratch_file(scratch or path.parent) as file:
        file.write(data)
        file.become(path, sync_folder=sync_folder)


def _sync(folder: Path) -> None:
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
