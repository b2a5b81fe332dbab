"""Small files in a folder that only their owner may write: read with suspicion, written whole or not at all."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import Final

from tallystick.core import limits
from tallystick.core.errors import InputError, os_reason

__all__ = ["KeyStoreError", "check_folder", "create", "make_folder", "read", "replace"]

_OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO
_OTHERS_WRITE: Final = stat.S_IWGRP | stat.S_IWOTH
_HAS_MODES: Final = os.name == "posix"
# A link could point at a file of somebody else; a FIFO would block. Windows has neither flag, but text mode.
_READ_FLAGS: Final = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)

_CREATE_FLAGS: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)


class KeyStoreError(InputError):
    """A key file or folder that is missing, in the way, or open to others."""


def make_folder(folder: Path) -> None:
    """Make `folder` and its missing parents, each 0700 (as the XDG base directory specification wants), and check it."""
    try:
        missing = [path for path in (folder, *folder.parents) if not path.exists()]
        for path in reversed(missing):
            path.mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        raise KeyStoreError(f"cannot make the key folder {folder}: {os_reason(error)}") from None
    check_folder(folder)


def check_folder(folder: Path) -> bool:
    """Whether `folder` exists.

    Raises:
        KeyStoreError: it is no folder, cannot be looked at, or others may put files into it.
    """
    try:
        mode = folder.stat().st_mode
    except FileNotFoundError:
        return False
    except OSError as error:
        raise KeyStoreError(f"cannot look at the key folder {folder}: {os_reason(error)}") from None
    if not stat.S_ISDIR(mode):
        raise KeyStoreError(f"the key folder {folder} is not a folder; move it away")
    if _HAS_MODES and mode & _OTHERS_WRITE:
        raise KeyStoreError(f"others may write to the key folder {folder}; run: chmod 700 {folder}")
    return True


def read(path: Path, *, private: bool) -> bytes:
    """The bytes of a regular file of at most `limits.KEY_BYTES`; links are not followed.

    Raises:
        KeyStoreError: missing, unreadable, a link or special file, too big, or `private` and open to others.
    """
    try:
        handle = os.open(path, _READ_FLAGS)
    except FileNotFoundError:
        raise KeyStoreError(f"there is no key file {path}") from None
    except OSError as error:
        why = "it is a symbolic link; put the file itself there" if error.errno == errno.ELOOP else os_reason(error)
        raise KeyStoreError(f"cannot read the key file {path}: {why}") from None
    try:
        _check_file(os.fstat(handle).st_mode, path, private=private)
        with os.fdopen(handle, "rb", closefd=False) as file:
            return _at_most(file.read(limits.KEY_BYTES + 1), path)
    except OSError as error:
        raise KeyStoreError(f"cannot read the key file {path}: {os_reason(error)}") from None
    finally:
        os.close(handle)


def _check_file(mode: int, path: Path, *, private: bool) -> None:
    if not stat.S_ISREG(mode):
        raise KeyStoreError(f"the key file {path} is not a regular file")
    if private and _HAS_MODES and mode & _OTHERS:
        raise KeyStoreError(f"others may use the private key {path}; run: chmod 600 {path}")


def _at_most(data: bytes, path: Path) -> bytes:
    if len(data) > limits.KEY_BYTES:
        raise KeyStoreError(f"the key file {path} has more than {limits.KEY_BYTES} bytes")
    return data


def create(path: Path, data: bytes, what: str = "key file") -> None:
    """Write a new file, 0600; whoever sees it sees all of it, and of two processes one succeeds.

    Raises:
        FileExistsError: there is something at `path`; it is left as it is.
        KeyStoreError: the file cannot be written.
    """
    temporary = _write_beside(path, data, what)
    try:
        os.link(temporary, path)  # fails where anything exists, unlike a rename
    except FileExistsError:
        raise
    except OSError as error:
        raise KeyStoreError(f"cannot write the {what} {path}: {os_reason(error)}") from None
    finally:
        temporary.unlink()
    _sync_folder(path.parent)


def replace(path: Path, data: bytes) -> None:
    """Write a file, 0600, in one step, whether or not there is one already.

    Raises:
        KeyStoreError: the file cannot be written.
    """
    temporary = _write_beside(path, data, "key file")
    try:
        temporary.replace(path)
    except OSError as error:
        temporary.unlink()
        raise KeyStoreError(f"cannot write the key file {path}: {os_reason(error)}") from None
    _sync_folder(path.parent)


def _write_beside(path: Path, data: bytes, what: str) -> Path:
    """A synced temporary file with `data` in the folder of `path`, 0600 (`tempfile` would double the import time)."""
    temporary = path.parent / f".{os.urandom(8).hex()}.tmp"
    try:
        handle = os.open(temporary, _CREATE_FLAGS, 0o600)
    except OSError as error:
        raise KeyStoreError(f"cannot write the {what} {path}: {os_reason(error)}") from None
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(handle)
    except OSError as error:
        temporary.unlink()
        raise KeyStoreError(f"cannot write the {what} {path}: {os_reason(error)}") from None
    return temporary


def _sync_folder(folder: Path) -> None:
    if not _HAS_MODES:
        return  # Windows opens no folders
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
