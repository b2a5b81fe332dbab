"""Where the bytes behind digests come from: a Protocol that stores, bundles and suites implement."""

from __future__ import annotations

from typing import Protocol

from tallystick.core.digest import Digest, sha256, short
from tallystick.core.errors import TallyError

__all__ = ["BlobReader", "ChainedBlobs", "MemoryBlobs", "MissingBlobError"]


class MissingBlobError(TallyError):
    """No bytes are here for a digest that a document names."""

    def __init__(self, digest: Digest, where: str) -> None:
        super().__init__(f"the blob {short(digest)} is not in {where}")
        self.digest = digest


class BlobReader(Protocol):
    """Bytes by digest. What is returned has been checked against the digest."""

    def read(self, digest: Digest) -> bytes:
        """The bytes of `digest`; raises `MissingBlobError`."""
        ...


class MemoryBlobs:
    """Blobs held in memory."""

    def __init__(self) -> None:
        self._held: dict[Digest, bytes] = {}

    def put(self, data: bytes) -> Digest:
        """Keep `data` under its digest."""
        digest = sha256(data)
        self._held[digest] = data
        return digest

    def read(self, digest: Digest) -> bytes:
        """The bytes of `digest`; raises `MissingBlobError`."""
        try:
            return self._held[digest]
        except KeyError:
            raise MissingBlobError(digest, "memory") from None


class ChainedBlobs:
    """The first reader that has a blob answers."""

    def __init__(self, *readers: BlobReader) -> None:
        self._readers = readers

    def read(self, digest: Digest) -> bytes:
        """The bytes of `digest`; raises `MissingBlobError` when no reader has them."""
        missing: MissingBlobError | None = None
        for reader in self._readers:
            try:
                return reader.read(digest)
            except MissingBlobError as error:
                missing = error
        raise missing or MissingBlobError(digest, "any place that was looked at")
