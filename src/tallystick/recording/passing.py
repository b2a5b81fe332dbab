"""Temporary folders that go away with what they were made for, if need be with the help of the next process.

Their owner holds a lock (flock) on the folder. One that nobody holds was left by a process that was killed, and whoever makes
the next folder removes it. Names are a word and 64 random bits, so that nothing of somebody else is ever taken for one.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import secrets
import shutil
import stat
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

__all__ = ["passing_folder"]

_OURS: Final = re.compile(r"tally-[a-z]+-[0-9a-f]{16}").fullmatch
_REMOVALS: Final = 20
_REMOVAL_PAUSE_S: Final = 0.05
_OPEN: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


@contextlib.contextmanager
def passing_folder(purpose: str, below: Path | None = None) -> Iterator[Path]:
    """A new folder `tally-PURPOSE-...` in `below`, else in the system's temporary folder; it is gone afterwards.

    Raises OSError.
    """
    place = Path(tempfile.gettempdir()) if below is None else below
    _sweep(place)
    path, fd = _claim(place, purpose)
    try:
        yield path
    finally:
        # Before the lock goes, as in `durable`: after it, another process may sweep.
        _remove(path)
        os.close(fd)


def _remove(path: Path) -> None:
    """Remove a folder in which a thread may be writing its last file."""
    for _ in range(_REMOVALS):
        shutil.rmtree(path, ignore_errors=True)
        if not path.exists():
            return
        time.sleep(_REMOVAL_PAUSE_S)


def _claim(place: Path, purpose: str) -> tuple[Path, int]:
    """A new folder, locked. One that was swept between its making and its locking has no name any more: another one."""
    while True:
        path = place / f"tally-{purpose}-{secrets.token_hex(8)}"
        path.mkdir(mode=0o700)
        with contextlib.suppress(FileNotFoundError):
            fd = os.open(path, _OPEN)
            fcntl.flock(fd, fcntl.LOCK_EX)
            if os.fstat(fd).st_nlink:
                return path, fd
            os.close(fd)


def _sweep(place: Path) -> None:
    """Remove the folders of killed processes of this user; what cannot be removed stays."""
    with contextlib.suppress(OSError):
        for path in [each for each in place.iterdir() if _OURS(each.name)]:
            _remove_if_left(path)


def _remove_if_left(path: Path) -> None:
    with contextlib.suppress(OSError):
        found = path.lstat()
        if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid():
            return
        fd = os.open(path, _OPEN)
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(path, ignore_errors=True)
        finally:
            os.close(fd)
