"""The `.tally` container: a tar of `bundle.json`, then `receipts/sha256/<hex>`, then `blobs/sha256/<hex>`, raw or as `.gz`.

It is never extracted. Opening it reads `bundle.json` and every header into an index; contents are read when asked for.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import BinaryIO, Final, NamedTuple

from tallystick.core import limits
from tallystick.core.digest import Digest, Hasher
from tallystick.records.base import UNSET, write
from tallystick.records.bundle import Bundle, parse_bundle, strip
from tallystick.records.containers import ustar
from tallystick.records.containers.common import (
    BundleFile,
    ContainerError,
    DigestMismatchError,
    EvidenceFile,
    checked,
    named_receipts,
    read_up_to,
)
from tallystick.records.containers.deflate import GZIP_MIN_BYTES, check_ratio, gunzip, gzip, within_ratio, within_total

__all__ = ["BUNDLE_NAME", "TarBundle", "TarEvidence", "archive", "write_tar"]

BUNDLE_NAME: Final = "bundle.json"
_CHUNK: Final = 128 * 1024
_LIMITS: Final = {"receipts": limits.RECEIPT_BYTES, "blobs": limits.BLOB_BYTES}
_ISIZE_BYTES: Final = 4
"""A gzip member ends with the size of its content (RFC 1952), little-endian."""


class _Member(NamedTuple):
    """Where a member's content lies: `stored` bytes from `offset`, which become `size` bytes."""

    offset: int
    stored: int
    size: int
    packed: bool


class TarEvidence(EvidenceFile):
    """A tar of one document and the evidence it names, read from a seekable stream that stays open as long as this is used."""

    def _open(self, stream: BinaryIO, first: str, parse: Callable[[bytes], frozenset[Digest]]) -> None:
        """Read the document `first`, whose named receipts `parse` returns, and the index."""
        self._stream = stream
        self._moving = threading.Lock()
        scan = _Scan(stream)
        self._members = _read_index(scan, parse(_read_first(scan, first)), first)
        self.receipts = {digest: member.size for digest, member in self._members["receipts"].items()}
        self.sizes = {digest: member.size for digest, member in self._members["blobs"].items()}

    def check_all(self) -> None:
        """Stream over every member in the order of the archive and compare sizes and digests."""
        for section, members in self._members.items():
            for digest, member in members.items():
                hasher = Hasher()
                for piece in self._pieces(digest, member):
                    hasher.update(piece)
                if hasher.digest() != digest:
                    raise DigestMismatchError(section[:-1], digest, hasher.digest())

    def _receipt(self, digest: Digest) -> bytes:
        return b"".join(self._pieces(digest, self._members["receipts"][digest]))

    def _blob(self, digest: Digest) -> bytes:
        return b"".join(self._pieces(digest, self._members["blobs"][digest]))

    def _pieces(self, digest: Digest, member: _Member) -> Iterator[bytes]:
        chunks = self._stored(digest, member)
        return gunzip(chunks, member.size, digest) if member.packed else chunks

    def _stored(self, digest: Digest, member: _Member) -> Iterator[bytes]:
        """The stored bytes in chunks. Each seeks anew: another read, perhaps of another thread, may have moved the stream."""
        for done in range(0, member.stored, _CHUNK):
            wanted = min(_CHUNK, member.stored - done)
            with self._moving:
                self._stream.seek(member.offset + done)
                chunk = read_up_to(self._stream, wanted)
            if len(chunk) != wanted:
                raise ContainerError(f"{digest}: the file ends inside it")
            yield chunk


class TarBundle(TarEvidence, BundleFile):
    """A bundle in its `.tally` container."""

    container = "tally"

    def __init__(self, stream: BinaryIO) -> None:
        """Read `bundle.json` and the index.

        Raises:
            C1Error, NewerVersionError, MalformedError: `bundle.json`, as `records.base.parse`.
            ContainerError: the archive differs from what our writer makes, or is over a limit.
        """
        self._open(stream, BUNDLE_NAME, self._parse)

    def _parse(self, data: bytes) -> frozenset[Digest]:
        self.bundle = parse_bundle(data)
        if self.bundle != strip(self.bundle):
            raise ContainerError(f"{BUNDLE_NAME} of a .tally bundle holds neither receipts nor blobs")
        return named_receipts(self.bundle)


class _Scan:
    """Goes through a tar once, header by header; contents are skipped, their padding is not."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._end = stream.seek(0, 2)
        if self._end > limits.TAR_BYTES:
            raise ContainerError(f"the file has {self._end} bytes; a .tally bundle has at most {limits.TAR_BYTES}")
        self._position = 0

    def next_member(self) -> tuple[str, int] | None:
        """Name and stored size of the next member, or None at the end of the archive."""
        block = self.take(self._position, ustar.BLOCK)
        if block == ustar.END[: ustar.BLOCK]:
            self._check_end()
            return None
        name, size = ustar.parse_header(block)
        self._position += ustar.BLOCK
        if self._position + size + ustar.padding(size) > self._end:
            raise ContainerError(f"{name}: the file ends inside it")
        return name, size

    def take(self, offset: int, size: int) -> bytes:
        """`size` bytes from `offset`; raises `ContainerError` where the file ends before."""
        self._stream.seek(offset)
        data = read_up_to(self._stream, size)
        if len(data) != size:
            raise ContainerError("the file is cut off: it does not end as a .tally bundle does")
        return data

    def content(self, size: int) -> bytes:
        """The whole content of the member whose header was read last; moves past it."""
        data = self.take(self._position, size)
        self.skip(size, 0)
        return data

    def skip(self, size: int, tail: int) -> tuple[int, bytes]:
        """Move past a content of `size` bytes; returns its offset and its last `tail` bytes. The padding must be zeros."""
        offset, fill = self._position, ustar.padding(size)
        data = self.take(offset + size - tail, tail + fill) if tail + fill else b""
        if any(data[tail:]):
            raise ContainerError("the bytes between two tar members are not zero")
        self._position = offset + size + fill
        return offset, data[:tail]

    def _check_end(self) -> None:
        if self._end - self._position != len(ustar.END) or self.take(self._position, len(ustar.END)) != ustar.END:
            raise ContainerError("a .tally bundle ends with exactly two zero blocks")


def _read_first(scan: _Scan, name: str) -> bytes:
    found = scan.next_member()
    if found is None or found[0] != name:
        raise ContainerError(f"the first member of a .tally bundle is {name}")
    if found[1] > limits.BUNDLE_JSON_BYTES:
        raise ContainerError(f"{name} has {found[1]} bytes; at most {limits.BUNDLE_JSON_BYTES} are read")
    return scan.content(found[1])


def _read_index(scan: _Scan, named: frozenset[Digest], first: str) -> dict[str, dict[Digest, _Member]]:
    """Every member but the first, in the order receipts before blobs, each section by digest."""
    index: dict[str, dict[Digest, _Member]] = {"receipts": {}, "blobs": {}}
    previous = ("receipts", "")
    while (found := scan.next_member()) is not None:
        name, stored = found
        section, digest, packed = ustar.split_name(name)
        place = (section, str(digest))
        if not _follows(place, previous):
            raise ContainerError(f"{name} is out of order or stands twice")
        if section == "receipts" and digest not in named:
            raise ContainerError(f"{name} is named by no result of {first}")
        index[section][digest] = _index_member(scan, name, stored, packed=packed)
        if len(index[section]) > limits.BUNDLE_MEMBERS:
            raise ContainerError(f"a .tally bundle has at most {limits.BUNDLE_MEMBERS} {section}")
        previous = place
    _check_total([member for members in index.values() for member in members.values()])
    return index


def _check_total(members: list[_Member]) -> None:
    size, stored = sum(member.size for member in members), sum(member.stored for member in members)
    if not within_total(size, stored):
        raise ContainerError(
            f"receipts and blobs, {stored} bytes in the file, declare {size} altogether; no bundle of ours does"
        )


def _follows(place: tuple[str, str], previous: tuple[str, str]) -> bool:
    if place[0] == previous[0]:
        return place[1] > previous[1]
    return place[0] == "blobs"


def _index_member(scan: _Scan, name: str, stored: int, *, packed: bool) -> _Member:
    if packed and stored < GZIP_MIN_BYTES:
        raise ContainerError(f"{name}: {stored} bytes are no gzip file")
    offset, tail = scan.skip(stored, _ISIZE_BYTES if packed else 0)
    size = int.from_bytes(tail, "little") if packed else stored
    bound = _LIMITS[name.partition("/")[0]]
    if size > bound:
        raise ContainerError(f"{name} declares {size} bytes; at most {bound} are read")
    if packed:
        check_ratio(size, stored, name)
    return _Member(offset, stored, size, packed)


def write_tar(bundle: Bundle, receipts: Mapping[Digest, bytes], blobs: Mapping[Digest, bytes]) -> Iterator[bytes]:
    """The chunks of the `.tally` container. Receipts and blobs are read one at a time (see `BlobView`).

    Raises:
        ContainerError, MalformedError, C1Error: before or while chunks are made: a receipt is absent or not named, a digest is
            wrong, a content is over its limit, or the bundle breaks its schema.
    """
    bare = strip(bundle)
    if named_receipts(bare) != set(receipts):
        raise ContainerError("the receipts to write are not exactly those that the bundle names")
    if bare.blobs is not UNSET:
        raise RuntimeError("strip left blobs in the bundle")
    return archive(BUNDLE_NAME, write(bare, limits.BUNDLE_JSON_BYTES), receipts, blobs)


def archive(first: str, document: bytes, receipts: Mapping[Digest, bytes], blobs: Mapping[Digest, bytes]) -> Iterator[bytes]:
    """The chunks of a tar of a document and the evidence it names."""
    total = _Total()
    yield from _member(first, document)
    yield from _section("receipts", receipts, total)
    yield from _section("blobs", blobs, total)
    yield ustar.END


class _Total:
    """What a writer has written of receipts and blobs so far: bytes of contents, and bytes that they take in the file."""

    size = 0
    stored = 0

    def add(self, size: int, packed: int) -> bool:
        """Count a content of `size` bytes; whether `packed` deflated bytes stand for it, or else it stands as it is."""
        self.size += size
        small = within_total(self.size, self.stored + packed)
        self.stored += packed if small else size
        return small


def _section(section: str, contents: Mapping[Digest, bytes], total: _Total) -> Iterator[bytes]:
    for digest in sorted(contents):
        data = checked(section[:-1], digest, contents[digest])
        if len(data) > _LIMITS[section]:
            raise ContainerError(f"{digest} has {len(data)} bytes; a bundle holds at most {_LIMITS[section]} in one piece")
        packed = gzip(data)
        pays = _blocks(packed) < _blocks(data) and within_ratio(len(data), len(packed))
        pays = total.add(len(data), len(packed) if pays else len(data)) and pays
        yield from _member(ustar.member_name(section, digest, packed=pays), packed if pays else data)


def _blocks(content: bytes) -> int:
    return -(-len(content) // ustar.BLOCK)


def _member(name: str, content: bytes) -> Iterable[bytes]:
    return (ustar.header(name, len(content)), content, bytes(ustar.padding(len(content))))
