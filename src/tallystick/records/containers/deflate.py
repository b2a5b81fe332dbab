"""Deflate (RFC 1951) and gzip (RFC 1952) within a budget.

zlib checks the stream itself. What is added here: never more output than was declared, a bound on the ratio, a stream that ends
exactly where its bytes end, and for gzip the one header that our writer makes.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from typing import Final

from tallystick.core import limits
from tallystick.records.containers.common import ContainerError

__all__ = [
    "GZIP_HEADER",
    "GZIP_MIN_BYTES",
    "check_ratio",
    "deflate",
    "gunzip",
    "gzip",
    "inflate",
    "within_ratio",
    "within_total",
]

_RAW: Final = -15
_GZIP: Final = 31
_LEVEL: Final = 6
_PIECE: Final = 256 * 1024

GZIP_HEADER: Final = bytes.fromhex("1f8b08000000000000ff")
"""The only gzip header: no name, no comment, no time, no flags, unknown system."""
GZIP_MIN_BYTES: Final = len(GZIP_HEADER) + 2 + 8
"""Bytes of the shortest gzip member: header, an empty deflate stream, CRC-32 and size."""


def within_ratio(size: int, stored: int) -> bool:
    """Whether `stored` deflated bytes may become `size` bytes."""
    return size <= stored * limits.INFLATE_RATIO + limits.INFLATE_SLACK_BYTES


def within_total(size: int, stored: int) -> bool:
    """Whether all receipts and blobs of a container, `stored` bytes in it, may become `size` bytes."""
    return size <= stored * limits.INFLATE_TOTAL_RATIO + limits.INFLATE_TOTAL_SLACK_BYTES


def check_ratio(size: int, stored: int, where: str) -> None:
    """Refuse a declared size out of proportion before anything is inflated."""
    if not within_ratio(size, stored):
        raise ContainerError(f"{where}: {stored} deflated bytes declare {size}, beyond a ratio of {limits.INFLATE_RATIO}")


def deflate(contents: Iterable[bytes]) -> bytes:
    """One raw deflate stream of all contents in order; stored without compression where the ratio would be refused."""
    pieces = list(contents)
    packed = _pack(pieces, _LEVEL)
    return packed if within_ratio(sum(map(len, pieces)), len(packed)) else _pack(pieces, 0)


def _pack(pieces: list[bytes], level: int) -> bytes:
    engine = zlib.compressobj(level, wbits=_RAW)
    return b"".join((*map(engine.compress, pieces), engine.flush()))


def gzip(data: bytes) -> bytes:
    """`data` as the one-member gzip file that `gunzip` here and elsewhere reads."""
    tail = zlib.crc32(data).to_bytes(4, "little") + len(data).to_bytes(4, "little")
    return GZIP_HEADER + _pack([data], _LEVEL) + tail


def inflate(chunks: Iterable[bytes], size: int, where: str) -> Iterator[bytes]:
    """Inflate one raw deflate stream that holds exactly `size` bytes, in pieces of at most 256 KiB.

    Raises:
        ContainerError: not deflate, cut off, more or fewer bytes than `size`, or bytes after its end.
    """
    return _inflate(chunks, size, where, _RAW)


def gunzip(chunks: Iterable[bytes], size: int, where: str) -> Iterator[bytes]:
    """Inflate one gzip member likewise; CRC-32 and size at its end are checked too. Errors as `inflate`."""
    return _inflate(_after_header_check(chunks, where), size, where, _GZIP)


def _after_header_check(chunks: Iterable[bytes], where: str) -> Iterator[bytes]:
    rest = iter(chunks)
    first = next(rest, b"")
    if not first.startswith(GZIP_HEADER):
        raise ContainerError(f"{where}: the gzip header is not the one this format has")
    yield first
    yield from rest


def _inflate(chunks: Iterable[bytes], size: int, where: str, wbits: int) -> Iterator[bytes]:
    engine = zlib.decompressobj(wbits)
    left = size
    for chunk in chunks:
        if engine.eof:
            raise ContainerError(f"{where}: bytes follow the end of the deflate stream")
        for piece in _pieces(engine, chunk, left, where):
            left -= len(piece)
            if left < 0:
                raise ContainerError(f"{where}: inflates to more than the {size} bytes it declares")
            yield piece
    if not engine.eof:
        raise ContainerError(f"{where}: the deflate stream is cut off")
    if engine.unused_data:
        raise ContainerError(f"{where}: bytes follow the end of the deflate stream")
    if left:
        raise ContainerError(f"{where}: inflates to {size - left} bytes and declares {size}")


def _pieces(engine: zlib._Decompress, chunk: bytes, left: int, where: str) -> Iterator[bytes]:
    """What `chunk` inflates to, but at most one byte more than `left`: enough to see that it is too much."""
    tail = chunk
    while not engine.eof:
        try:
            piece = engine.decompress(tail, min(left + 1, _PIECE))
        except zlib.error as error:
            raise ContainerError(f"{where}: not a deflate stream ({error})") from None
        tail = engine.unconsumed_tail
        left -= len(piece)
        if piece:
            yield piece
        elif not tail:
            return
