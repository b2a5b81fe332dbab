"""What both containers share: the errors, the reader's surface, and which receipts a bundle names."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from typing import BinaryIO, ClassVar, Final, Literal

from tallystick.core import limits
from tallystick.core.digest import Digest, sha256, short
from tallystick.core.errors import InputError
from tallystick.records.base import UNSET, MalformedError, write
from tallystick.records.blobs import BlobReader, MissingBlobError
from tallystick.records.bundle import Bundle, TaskResult, Try
from tallystick.records.evidence import Receipt, parse_receipt

__all__ = [
    "BlobView",
    "BundleFile",
    "Container",
    "ContainerError",
    "DigestMismatchError",
    "EvidenceFile",
    "named_receipts",
    "read_up_to",
    "receipts_of",
]

Container = Literal["json", "tally"]

_PIECE: Final = 1024 * 1024
"""Bytes asked of a stream at once, so that no declared size decides how much memory is taken."""


class ContainerError(InputError):
    """A container that breaks its format or its limits."""


class DigestMismatchError(ContainerError, MalformedError):
    """Bytes that are not those of the digest under which they stand."""

    def __init__(self, kind: str, digest: Digest, found: Digest) -> None:
        super().__init__(f"the {kind} under {short(digest)} has the digest {short(found)}: its bytes were changed")
        self.digest = digest


class EvidenceFile(ABC):
    """An opened container of receipts and blobs. It is a `BlobReader`; what it hands out was checked against its digest.

    `receipts` and `sizes` give the bytes (inflated) of every receipt and blob that the container holds, in the order of their
    digests. `what` is the word for such a file in errors.
    """

    what: ClassVar[str] = "bundle"
    receipts: Mapping[Digest, int]
    sizes: Mapping[Digest, int]

    def receipt(self, digest: Digest) -> Receipt:
        """The receipt of `digest`.

        Raises:
            MissingBlobError: the container does not hold it.
            DigestMismatchError: its bytes have another digest.
            MalformedError, C1Error: its bytes are no receipt.
            ContainerError: it cannot be inflated to its declared size.
        """
        return parse_receipt(self.receipt_bytes(digest))

    def receipt_bytes(self, digest: Digest) -> bytes:
        """The C1 bytes of a receipt. Errors as `receipt`, but for its schema."""
        if digest not in self.receipts:
            raise MissingBlobError(digest, f"the {self.what}'s receipts")
        return checked("receipt", digest, self._receipt(digest))

    def read(self, digest: Digest) -> bytes:
        """The bytes of a blob.

        Raises:
            MissingBlobError: the container does not hold it.
            DigestMismatchError: its bytes have another digest.
            ContainerError: it cannot be inflated to its declared size.
        """
        if digest not in self.sizes:
            raise MissingBlobError(digest, f"the {self.what}")
        return checked("blob", digest, self._blob(digest))

    @abstractmethod
    def check_all(self) -> None:
        """Compare every receipt and blob with its size and digest, in one pass and with flat memory.

        Raises:
            DigestMismatchError, ContainerError: naming the first that does not hold.
        """

    @abstractmethod
    def _receipt(self, digest: Digest) -> bytes:
        """The bytes of a receipt that the container holds, unchecked."""

    @abstractmethod
    def _blob(self, digest: Digest) -> bytes:
        """The bytes of a blob that the container holds, unchecked."""


class BundleFile(EvidenceFile):
    """An opened bundle. `bundle` holds neither receipts nor blobs, in both containers."""

    container: Container
    bundle: Bundle


class BlobView(Mapping[Digest, bytes]):
    """The blobs of `digests`, each read when it is asked for, so that a writer holds one at a time."""

    def __init__(self, digests: Iterable[Digest], reader: BlobReader) -> None:
        self._digests = frozenset(digests)
        self._reader = reader

    def __getitem__(self, digest: Digest) -> bytes:
        if digest not in self._digests:
            raise KeyError(digest)
        return self._reader.read(digest)

    def __iter__(self) -> Iterator[Digest]:
        return iter(sorted(self._digests))

    def __len__(self) -> int:
        return len(self._digests)


def checked(kind: str, digest: Digest, data: bytes) -> bytes:
    """`data` when its digest is `digest`; raises `DigestMismatchError`."""
    found = sha256(data)
    if found != digest:
        raise DigestMismatchError(kind, digest, found)
    return data


def _holders(bundle: Bundle) -> Iterator[TaskResult | Try]:
    """Whatever names a receipt: results and their earlier tries."""
    for result in bundle.task_results:
        yield result
        yield from result.tries


def named_receipts(bundle: Bundle) -> frozenset[Digest]:
    """Every `receipt_hash` of a bundle: of its results and of their earlier tries."""
    return frozenset(holder.receipt_hash for holder in _holders(bundle))


def receipts_of(bundle: Bundle) -> dict[Digest, bytes]:
    """The bytes of the receipts embedded in `bundle`, by the `receipt_hash` beside them."""
    return {
        holder.receipt_hash: write(holder.receipt, limits.RECEIPT_BYTES)
        for holder in _holders(bundle)
        if holder.receipt is not UNSET
    }


def read_up_to(stream: BinaryIO, size: int) -> bytes:
    """At most `size` bytes; fewer only at the end of the stream."""
    first = stream.read(min(size, _PIECE))
    if len(first) == size or not first:
        return first
    held = bytearray(first)
    while len(held) < size and (piece := stream.read(min(size - len(held), _PIECE))):
        held += piece
    return bytes(held)
