"""The container of a shard: the tar of a `.tally` bundle with `shard.json` in the place of `bundle.json`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import BinaryIO, Final

from tallystick.core import limits
from tallystick.core.digest import Digest
from tallystick.records.base import write
from tallystick.records.containers.common import ContainerError, read_up_to
from tallystick.records.containers.tally import TarEvidence, archive
from tallystick.records.shard import Shard, bare, parse_shard

__all__ = ["SHARD_START", "ShardFile", "open_shard", "write_shard"]

_SHARD_NAME: Final = "shard.json"
SHARD_START: Final = _SHARD_NAME.encode() + b"\0"
"""The first bytes of a shard file, by which it is told from a bundle."""


class ShardFile(TarEvidence):
    """An opened shard. `shard` holds no receipts."""

    what = "shard"
    shard: Shard

    def __init__(self, stream: BinaryIO) -> None:
        """Read `shard.json` and the index; errors as `open_shard`."""
        self._open(stream, _SHARD_NAME, self._parse)

    def _parse(self, data: bytes) -> frozenset[Digest]:
        self.shard = parse_shard(data)
        if self.shard != bare(self.shard):
            raise ContainerError(f"{_SHARD_NAME} holds no receipts")
        return _named(self.shard)


def _named(shard: Shard) -> frozenset[Digest]:
    return frozenset(digest for one in shard.results for digest in (one.receipt_hash, *(t.receipt_hash for t in one.tries)))


def open_shard(stream: BinaryIO) -> ShardFile:
    """Open a shard from a binary, seekable stream at its start.

    Raises:
        ContainerError: another file, cut off, over a limit, or different from what our writer makes.
        C1Error, NewerVersionError, MalformedError: `shard.json`, as `records.base.parse`.
    """
    if read_up_to(stream, len(SHARD_START)) != SHARD_START:
        raise ContainerError("no shard: a file of tally run --shard starts otherwise")
    if not stream.seekable():
        raise ContainerError("a shard cannot be read from a pipe; save it to a file first")
    return ShardFile(stream)


def write_shard(shard: Shard, receipts: Mapping[Digest, bytes], blobs: Mapping[Digest, bytes]) -> Iterator[bytes]:
    """The chunks of a shard file. Receipts and blobs are read one at a time.

    Raises:
        ContainerError, MalformedError, C1Error: as `write_tar`.
    """
    if _named(shard) != set(receipts):
        raise ContainerError("the receipts to write are not exactly those that the shard names")
    return archive(_SHARD_NAME, write(bare(shard), limits.BUNDLE_JSON_BYTES), receipts, blobs)
