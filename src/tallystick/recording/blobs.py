"""The blob store: a folder of files named by the digest of their bytes.

Layout: `<folder>/sha256/<first two hex digits>/<hex>`. A blob is written to a temporary name, flushed to disk and renamed, so a
kill at any moment leaves whole blobs or none, and two processes may write the same blob at once.
"""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Iterator
from pathlib import Path

from tallystick.core import limits
from tallystick.core.digest import Digest, Hasher, sha256
from tallystick.core.errors import TallyError
from tallystick.records.blobs import MissingBlobError

__all__ = ["BlobStore", "StoreError", "failing_clearly", "write_durably"]

_CHUNK = 1 << 20
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


class StoreError(TallyError):
    """The state folder cannot be read or written (full disk, no permission, damaged file)."""


class BlobStore:
    """Blobs on disk; a `records.blobs.BlobReader`. Safe to use from several threads and processes."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / "sha256"
        self._known: set[Digest] = set()

    def _path(self, digest: Digest) -> Path:
        return self._folder / digest[7:9] / digest[7:]

    def has(self, digest: Digest) -> bool:
        """Whether a blob of that name is stored (its bytes are checked when they are read)."""
        return digest in self._known or self._path(digest).is_file()

    def put(self, data: bytes) -> Digest:
        """Store `data` and return its digest; nothing is written when it is there already."""
        digest = sha256(data)
        if not self.has(digest):
            path = self._path(digest)
            _make_folder(path.parent)
            write_durably(path, data, sync_folder=False)
        self._known.add(digest)
        return digest

    def put_fd(self, fd: int, size: int) -> Digest:
        """Store at most `size` bytes read from the open file `fd`, hashing while copying, in constant memory."""
        if size <= _CHUNK:
            return self.put(_read_up_to(fd, size))
        temporary = self._folder / f".new-{secrets.token_hex(8)}"
        _make_folder(self._folder)
        hasher = Hasher()
        try:
            with failing_clearly(self._folder), temporary.open("xb") as out:
                _copy(fd, size, out.fileno(), hasher)
                os.fsync(out.fileno())
            digest = hasher.digest()
            path = self._path(digest)
            _make_folder(path.parent)
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)
        self._known.add(digest)
        return digest

    def read(self, digest: Digest) -> bytes:
        """The bytes of `digest`.

        Raises:
            MissingBlobError: it is not stored.
            StoreError: the stored bytes are damaged or larger than `limits.BLOB_BYTES`.
        """
        path = self._path(digest)
        try:
            size = path.stat().st_size
            if size > limits.BLOB_BYTES:
                raise StoreError(f"{path} has {size} bytes; at most {limits.BLOB_BYTES} are read")
            data = path.read_bytes()
        except FileNotFoundError:
            raise MissingBlobError(digest, str(self._folder.parent)) from None
        except OSError as error:
            raise StoreError(f"cannot read {path}: {error.strerror}") from None
        if sha256(data) != digest:
            raise StoreError(f"{path} is damaged: its bytes do not have the digest of its name; remove it and run again")
        return data


def _read_up_to(fd: int, size: int) -> bytes:
    data = bytearray()
    while len(data) < size:
        piece = os.read(fd, size - len(data))
        if not piece:
            break
        data += piece
    return bytes(data)


def _copy(fd: int, size: int, out: int, hasher: Hasher) -> None:
    left = size
    while left > 0:
        piece = os.read(fd, min(_CHUNK, left))
        if not piece:
            return
        hasher.update(piece)
        view = memoryview(piece)
        while view:
            view = view[os.write(out, view) :]
        left -= len(piece)


@contextlib.contextmanager
def failing_clearly(path: Path) -> Iterator[None]:
    """Turns an OSError below `path` into one clear line."""
    try:
        yield
    except OSError as error:
        raise StoreError(
            f"cannot write below {path}: {error.strerror}; free some space or name another folder with --state"
        ) from None


def _make_folder(folder: Path) -> None:
    with failing_clearly(folder):
        folder.mkdir(parents=True, exist_ok=True)


def write_durably(path: Path, data: bytes, *, sync_folder: bool = True) -> None:
    """Write `data` to `path` so that after a kill or power cut the file is whole, old or absent.

    Raises:
        StoreError: the file system refused.
    """
    temporary = path.with_name(f".{path.name[:40]}-{secrets.token_hex(6)}")
    try:
        with failing_clearly(path.parent):
            fd = os.open(temporary, _NEW, 0o644)
            try:
                view = memoryview(data)
                while view:
                    view = view[os.write(fd, view) :]
                os.fsync(fd)
            finally:
                os.close(fd)
            temporary.replace(path)
            if sync_folder:
                _sync(path.parent)
    finally:
        temporary.unlink(missing_ok=True)


def _sync(folder: Path) -> None:
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
