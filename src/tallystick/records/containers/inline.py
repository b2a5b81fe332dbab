"""The `.json` container: one C1 document that embeds its receipts and carries its blobs in the member `blobs`."""

from __future__ import annotations

import binascii
from collections.abc import Iterator, Mapping
from itertools import accumulate
from typing import Final

import msgspec

from tallystick.core import c1, limits
from tallystick.core.digest import Digest, is_digest
from tallystick.records.base import check_type, from_tree, part_from_tree, type_name
from tallystick.records.bundle import BlobEntry, Blobs, Bundle
from tallystick.records.containers.common import BundleFile, ContainerError, checked, named_receipts
from tallystick.records.containers.deflate import check_ratio, deflate, inflate

__all__ = ["JsonBundle", "TooLargeError", "encode_json", "write_json"]

_WHERE: Final = "blobs.data"


class TooLargeError(ContainerError):
    """A bundle that only the `.tally` container can hold."""


class JsonBundle(BundleFile):
    """A bundle in its `.json` container. The document is held in memory, blobs inflated, receipts as bytes."""

    container = "json"

    def __init__(self, data: bytes | c1.Tree) -> None:
        """Read the document, from its bytes or from the checked tree of it in another document, which is taken apart.

        Raises:
            C1Error, NewerVersionError, MalformedError: as `records.base.parse`.
            ContainerError: the member `blobs` is not what its index declares, or two receipts claim one digest.
        """
        tree = c1.loads(data, limits.BUNDLE_JSON_BYTES) if isinstance(data, bytes) else data
        check_type(tree, type_name(Bundle))
        assert isinstance(tree, dict)
        self._receipts = _take_receipts(tree)
        packed = tree.pop("blobs", None)
        self.bundle = from_tree(tree, c1.encode(tree), Bundle)
        blobs = Blobs(index=(), data="") if packed is None else part_from_tree(packed, Blobs, "blobs")
        self._content = b"" if packed is None else _inflated(blobs)
        starts = accumulate((entry.size for entry in blobs.index), initial=0)
        self._starts = dict(zip((entry.digest for entry in blobs.index), starts, strict=False))
        self.receipts = {digest: len(self._receipts[digest]) for digest in sorted(self._receipts)}
        self.sizes = {entry.digest: entry.size for entry in blobs.index}

    def check_all(self) -> None:
        """Compare every receipt and blob with its digest; sizes were compared when the document was read."""
        for digest in self.receipts:
            self.receipt_bytes(digest)
        for digest in self.sizes:
            self.read(digest)

    def _receipt(self, digest: Digest) -> bytes:
        return self._receipts[digest]

    def _blob(self, digest: Digest) -> bytes:
        start = self._starts[digest]
        return bytes(memoryview(self._content)[start : start + self.sizes[digest]])


def _take_receipts(tree: dict[str, c1.Tree]) -> dict[Digest, bytes]:
    """Take the embedded receipts out of a bundle's tree, as bytes, so that a bad one spoils no other row.

    Whatever else has the wrong shape is left for the schema to refuse.
    """
    taken: dict[Digest, bytes] = {}
    results = tree.get("task_results")
    for result in results if isinstance(results, list) else ():
        if not isinstance(result, dict):
            continue
        tries = result.get("tries")
        for holder in (result, *(tries if isinstance(tries, list) else ())):
            if isinstance(holder, dict) and "receipt" in holder and is_digest(holder.get("receipt_hash")):
                digest = Digest(str(holder["receipt_hash"]))
                data = c1.encode(holder.pop("receipt"))
                if taken.setdefault(digest, data) != data:
                    raise ContainerError(f"two different receipts stand under the receipt_hash {digest}")
    return taken


def _inflated(blobs: Blobs) -> bytes | bytearray:
    """The contents of all blobs, one after the other, checked against the declared sizes."""
    total = _check_index(blobs.index)
    try:
        packed = binascii.a2b_base64(blobs.data, strict_mode=True)
    except (binascii.Error, ValueError) as error:
        raise ContainerError(f"{_WHERE} is not base64: {error}") from None
    if binascii.b2a_base64(packed, newline=False) != blobs.data.encode():
        raise ContainerError(f"{_WHERE} is not base64 in its one spelling")
    check_ratio(total, len(packed), _WHERE)
    content = bytearray()
    for piece in inflate((packed,), total, _WHERE):
        content += piece
    return content


def _check_index(index: tuple[BlobEntry, ...]) -> int:
    """Refuse disorder, doubles and too much; returns the sum of sizes."""
    previous = ""
    for entry in index:
        if entry.digest <= previous:
            raise ContainerError(f"blobs.index: {entry.digest} is out of order or stands twice")
        previous = entry.digest
    total = sum(entry.size for entry in index)
    if total > limits.INLINE_BLOBS_BYTES:
        raise ContainerError(f"blobs.index declares {total} bytes; a .json bundle holds at most {limits.INLINE_BLOBS_BYTES}")
    return total


def encode_json(bundle: Bundle, blobs: Mapping[Digest, bytes]) -> bytes:
    """The `.json` container of a bundle that embeds its receipts.

    It is read back once, so that nothing invalid is ever written.

    Raises:
        TooLargeError: only the `.tally` container can hold it.
        ContainerError, MalformedError, C1Error: a receipt is absent, a digest is wrong, or the bundle breaks its schema.
    """
    index: list[BlobEntry] = []
    data = c1.encode(msgspec.structs.replace(bundle, blobs=_packed(blobs, index)))
    if len(data) > limits.BUNDLE_JSON_BYTES:
        raise TooLargeError(f"the bundle needs {len(data)} bytes as .json; at most {limits.BUNDLE_JSON_BYTES} are read")
    opened = JsonBundle(data)
    absent = named_receipts(opened.bundle).difference(opened.receipts)
    if absent:
        raise ContainerError(f"the receipt {min(absent)} is not embedded in the bundle")
    opened.check_all()
    return data


def _packed(blobs: Mapping[Digest, bytes], index: list[BlobEntry]) -> Blobs:
    packed = deflate(_contents(blobs, index))
    return Blobs(index=tuple(index), data=binascii.b2a_base64(packed, newline=False).decode())


def _contents(blobs: Mapping[Digest, bytes], index: list[BlobEntry]) -> Iterator[bytes]:
    """The contents in the order of their digests; fills `index` on the way."""
    total = 0
    for digest in sorted(blobs):
        content = checked("blob", digest, blobs[digest])
        total += len(content)
        if total > limits.INLINE_BLOBS_BYTES:
            raise TooLargeError(f"the blobs have more than {limits.INLINE_BLOBS_BYTES} bytes; write a .tally bundle")
        index.append(BlobEntry(digest=digest, size=len(content)))
        yield content


def write_json(bundle: Bundle, blobs: Mapping[Digest, bytes]) -> Iterator[bytes]:
    """The chunks of the `.json` container; arguments and errors as `encode_json`, raised before the first chunk."""
    return iter((encode_json(bundle, blobs),))
