"""Which container a file is, and which one a bundle is written to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import BinaryIO, Final, NamedTuple

import msgspec

from tallystick.core import limits
from tallystick.core.digest import Digest
from tallystick.records.base import UNSET
from tallystick.records.bundle import Bundle, TaskResult, Try
from tallystick.records.containers.common import BundleFile, Container, ContainerError, read_up_to
from tallystick.records.containers.inline import JsonBundle, TooLargeError, encode_json
from tallystick.records.containers.shard import SHARD_START
from tallystick.records.containers.tally import BUNDLE_NAME, TarBundle, write_tar
from tallystick.records.evidence import parse_receipt

__all__ = ["Written", "open_bundle", "write_bundle"]

_TAR_START: Final = BUNDLE_NAME.encode() + b"\0"


def open_bundle(stream: BinaryIO) -> BundleFile:
    """Open a bundle from a binary stream at its start; the first bytes tell the container.

    Raises:
        ContainerError: neither container, cut off, over a limit, or different from what our writer makes.
        C1Error, NewerVersionError, MalformedError: the document inside, as `records.base.parse`.
    """
    start = read_up_to(stream, len(_TAR_START))
    if not start:
        raise ContainerError("the file is empty")
    if start == _TAR_START:
        if not stream.seekable():
            raise ContainerError("a .tally bundle cannot be read from a pipe; save it to a file first")
        return TarBundle(stream)
    if start.startswith(SHARD_START):
        raise ContainerError("this is a shard, one part of a run; tally merge makes a bundle of all parts")
    if start[:1] != b"{":
        raise ContainerError("neither a .json bundle (which starts with {) nor a .tally bundle")
    return JsonBundle(start + _rest(stream, len(start)))


def _rest(stream: BinaryIO, already: int) -> bytes:
    """What follows the `already` bytes that were read; a file over the limit is refused before it is read where it can seek."""
    left = limits.BUNDLE_JSON_BYTES - already
    size = stream.seek(0, 2) - stream.seek(already) if stream.seekable() else 0
    data = read_up_to(stream, left + 1) if size <= left else b""
    if max(size, len(data)) > left:
        raise ContainerError(f"a .json bundle has at most {limits.BUNDLE_JSON_BYTES} bytes; this file has more")
    return data


class Written(NamedTuple):
    """A container and the chunks of its bytes."""

    container: Container
    chunks: Iterator[bytes]


def write_bundle(
    bundle: Bundle,
    receipts: Mapping[Digest, bytes],
    blobs: Mapping[Digest, bytes],
    container: Container | None = None,
) -> Written:
    """Write a bundle to the container asked for, or to `.json` up to 32 MiB and to `.tally` above.

    Receipts embedded in `bundle` are ignored; those of `receipts` are written.

    Raises:
        ContainerError, MalformedError, C1Error: as `write_json` and `write_tar`.
    """
    if container != "tally":
        try:
            data = encode_json(_embed(bundle, receipts), blobs)
        except TooLargeError:
            if container == "json":
                raise
        else:
            if container == "json" or len(data) <= limits.JSON_PREFERRED_BYTES:
                return Written("json", iter((data,)))
    return Written("tally", write_tar(bundle, receipts, blobs))


def _embed(bundle: Bundle, receipts: Mapping[Digest, bytes]) -> Bundle:
    if sum(map(len, receipts.values())) > limits.BUNDLE_JSON_BYTES:
        raise TooLargeError(f"the receipts have more than {limits.BUNDLE_JSON_BYTES} bytes; write a .tally bundle")

    def filled(holder: TaskResult | Try) -> TaskResult | Try:
        data = receipts.get(holder.receipt_hash)
        return msgspec.structs.replace(holder, receipt=UNSET if data is None else parse_receipt(data))

    results = tuple(
        msgspec.structs.replace(filled(result), tries=tuple(filled(earlier) for earlier in result.tries))
        for result in bundle.task_results
    )
    return msgspec.structs.replace(bundle, task_results=results, blobs=UNSET)
