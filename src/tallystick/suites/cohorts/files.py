"""Where the files come from that a cohort names: a root that no path leaves.

Two readers. `FollowingFiles` decides as the original does: it follows links inside the root. `PlainFiles` opens one part
after the other below the root without following anything, so that what is checked is what is read; it also refuses paths
with a second spelling, and repositories inside the repository.
"""

from __future__ import annotations

import errno
import itertools
import os
import stat
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Final, Protocol

from tallystick.core.digest import Digest, Hasher
from tallystick.core.errors import InputError, os_reason
from tallystick.core.limits import BLOB_BYTES, PYJSON_BYTES
from tallystick.core.visible import written_out
from tallystick.suites.cohorts.reporting import Code

__all__ = ["FileRefusedError", "Files", "FollowingFiles", "PlainFiles", "check_path", "folder_of", "open_files"]

_FOLDER: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_CHUNK: Final = 1 << 16


class FileRefusedError(InputError):
    """A file that a cohort names cannot be had; `code` says why."""

    def __init__(self, code: Code, message: str) -> None:
        super().__init__(message)
        self.code = code


class Files(Protocol):
    """What a validation reads; paths are relative to the root, `label` begins the message of an error."""

    def read(self, path: str, label: str) -> bytes:
        """The bytes of a document, PYJSON_BYTES at most.

        Raises:
            FileRefusedError: the path may not be read, or there is no such file.
        """

    def digest(self, path: str, label: str) -> Digest:
        """SHA-256 of a file of any content, BLOB_BYTES at most.

        Raises:
            FileRefusedError: as `read`.
        """


def check_path(path: str, label: str) -> None:
    """Refuse what no reader may open: nothing, an absolute path, a way up, a zero byte."""
    if not path or path.startswith("/") or ".." in path.split("/") or "\0" in path:
        raise FileRefusedError(Code.PATH_UNSAFE, f"{label}: unsafe path {path!r}")


def folder_of(path: str, name: str) -> str:
    """The path of a file `name` beside the file at `path`."""
    folder, slash, _ = path.rpartition("/")
    return f"{folder}{slash}{name}"


class FollowingFiles:
    """Files below a root, links inside it followed."""

    def __init__(self, root: Path) -> None:
        self._root = root.resolve()

    def read(self, path: str, label: str) -> bytes:
        """See `Files`."""
        with self._opened(path, label) as file:
            return _bounded(file, path, label)

    def digest(self, path: str, label: str) -> Digest:
        """See `Files`."""
        with self._opened(path, label) as file:
            return _hashed(file, path, label)

    @contextmanager
    def _opened(self, path: str, label: str) -> Iterator[BinaryIO]:
        check_path(path, label)
        try:
            found = (self._root / path).resolve()
            if not found.is_relative_to(self._root):
                raise FileRefusedError(Code.PATH_ESCAPES, f"{label}: path escapes repository root: {path}")
            if not found.is_file():
                raise _missing(path, label)
            with found.open("rb") as file:
                yield file
        except (OSError, RuntimeError) as error:
            raise _unreadable(path, label, error) from None


class PlainFiles:
    """Files below a root, nothing followed. Keeps the root open, and the folders of the file read last; `close` them."""

    def __init__(self, root: Path) -> None:
        try:
            self._root = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        except OSError as error:
            raise InputError(f"the root {root} cannot be opened ({os_reason(error)}); name a folder with --root") from None
        self._trail: list[tuple[str, int]] = []

    def close(self) -> None:
        """Let all folders go."""
        self._shorten(0)
        os.close(self._root)

    def read(self, path: str, label: str) -> bytes:
        """See `Files`."""
        with self._opened(path, label) as file:
            return _bounded(file, path, label)

    def digest(self, path: str, label: str) -> Digest:
        """See `Files`."""
        with self._opened(path, label) as file:
            return _hashed(file, path, label)

    def _opened(self, path: str, label: str) -> BinaryIO:
        check_path(path, label)
        *folders, name = _parts(path, label)
        folder = self._folder(folders, path, label)
        handle = _opening(name, _FILE, folder, path, label)
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            os.close(handle)
            raise _missing(path, label)
        return open(handle, "rb", buffering=0)  # noqa: PTH123  # a descriptor; the callers close it

    def _folder(self, folders: list[str], path: str, label: str) -> int:
        """The innermost of these folders, opened one by one; what the last path had in common with this one is open."""
        same = sum(1 for _ in itertools.takewhile(lambda pair: pair[0][0] == pair[1], zip(self._trail, folders, strict=False)))
        self._shorten(same)
        for folder in folders[same:]:
            inner = _opening(folder, _FOLDER, self._innermost(), path, label)
            self._trail.append((folder, inner))
            if _is_repository(inner):
                self._shorten(len(self._trail) - 1)
                message = f"{label}: {path} lies in a Git repository of its own, such as a submodule"
                raise FileRefusedError(Code.NESTED_REPOSITORY, message)
        return self._innermost()

    def _innermost(self) -> int:
        return self._trail[-1][1] if self._trail else self._root

    def _shorten(self, length: int) -> None:
        while len(self._trail) > length:
            os.close(self._trail.pop()[1])


@contextmanager
def open_files(root: Path, *, compat: bool) -> Iterator[Files]:
    """The reader that strict or compatible validation takes, as long as the block lasts."""
    if compat:
        yield FollowingFiles(root)
        return
    files = PlainFiles(root)
    try:
        yield files
    finally:
        files.close()


def _parts(path: str, label: str) -> list[str]:
    """The parts of a path that has one spelling only."""
    parts = path.split("/")
    if any(part in {"", "."} for part in parts):
        problem = "has a part that names nothing"
    elif "\\" in path:
        problem = "has a backslash, which some systems take for a slash"
    elif path.isascii() and path.isprintable():
        return parts
    elif unicodedata.normalize("NFC", path) != path:
        problem = "is not in Unicode's form NFC, in which other systems store it"
    elif written_out(path) != path:
        problem = "holds characters that do not show"
    else:
        return parts
    raise FileRefusedError(Code.PATH_SPELLING, f"{label}: the path {written_out(path)!r} {problem}; spell it plainly")


def _is_repository(folder: int) -> bool:
    """Whether a folder has its own `.git`: its files belong to no commit of the repository around it."""
    try:
        os.stat(".git", dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return True


def _opening(part: str, flags: int, folder: int, path: str, label: str) -> int:
    """Open one part of a path in its folder."""
    try:
        return os.open(part, flags, dir_fd=folder)
    except OSError as error:
        if error.errno in {errno.ELOOP, errno.ENOTDIR} and _is_link(part, folder):
            message = f"{label}: {path} goes through the symbolic link {part}; put the file itself there"
            raise FileRefusedError(Code.SYMLINK, message) from None
        if error.errno in {errno.ENOENT, errno.ENOTDIR}:
            raise _missing(path, label) from None
        raise _unreadable(path, label, error) from None


def _is_link(part: str, folder: int) -> bool:
    try:
        return stat.S_ISLNK(os.stat(part, dir_fd=folder, follow_symlinks=False).st_mode)
    except OSError:
        return False


def _missing(path: str, label: str) -> FileRefusedError:
    return FileRefusedError(Code.FILE_MISSING, f"{label}: referenced file does not exist: {path}")


def _unreadable(path: str, label: str, error: Exception) -> FileRefusedError:
    reason = os_reason(error) if isinstance(error, OSError) else str(error)
    return FileRefusedError(Code.FILE_UNREADABLE, f"{label}: cannot read {path}: {reason}")


def _bounded(file: BinaryIO, path: str, label: str) -> bytes:
    size = os.fstat(file.fileno()).st_size
    if size > PYJSON_BYTES:
        raise FileRefusedError(Code.FILE_UNREADABLE, f"{label}: {path} has more than {PYJSON_BYTES} bytes")
    data = file.read(size + 1)  # as much as there is: room for the bound would be taken anew for each file
    if len(data) > size:
        raise FileRefusedError(Code.FILE_UNREADABLE, f"{label}: {path} grew while it was read")
    return data


def _hashed(file: BinaryIO, path: str, label: str) -> Digest:
    hasher, size = Hasher(), 0
    while chunk := file.read(_CHUNK):
        size += len(chunk)
        if size > BLOB_BYTES:
            raise FileRefusedError(Code.FILE_UNREADABLE, f"{label}: {path} has more than {BLOB_BYTES} bytes")
        hasher.update(chunk)
    return hasher.digest()
