from __future__ import annotations

import gzip
from collections.abc import Callable

from tests.attacks.kit import LINT, Container, Lie, Status, Step, row_lies
from tests.support.forge import parse, tar_members, write_members


def declaring(packed: bytes, change: int) -> bytes:
    """The size at the end of a gzip member, changed."""
    return packed[:-4] + (int.from_bytes(packed[-4:], "little") + change).to_bytes(4, "little")


BENDS: dict[str, Callable[[bytes], bytes]] = {
    "size_larger": lambda packed: declaring(packed, 1),
    "size_smaller": lambda packed: declaring(packed, -1),
    "checksum": lambda packed: packed[:-8] + bytes(4) + packed[-4:],
    "bytes_behind": lambda packed: packed[:-4] + b"more" + packed[-4:],
    "second_member": lambda packed: packed + packed,
    "name": lambda packed: packed[:3] + b"\x08" + packed[4:10] + b"evil\0" + packed[10:],
    "time": lambda packed: packed[:4] + b"\x01" + packed[5:],
    "bomb": lambda packed: gzip.compress(bytes(32 << 20), mtime=0)[:-4] + packed[-4:],
    "not_gzip": lambda packed: bytes(100) + packed[-4:],
}


def rewrite(data: bytes, container: Container, variant: str) -> bytes:
    members = tar_members(data)
    wanted = next(one["receipt_hash"] for one in parse(members[0][1])["task_results"] if one["task_id"] == LINT)
    name = f"receipts/sha256/{wanted[7:]}.gz"
    assert name in dict(members)
    return write_members([(one, BENDS[variant](content) if one == name else content) for one, content in members])


FOUND = row_lies(Status.MALFORMED_RECEIPT, Step.blobs, (LINT, 1))
LIE = Lie(
    rewrite=rewrite,
    edited=FOUND,
    resigned=FOUND,
    containers=("tally",),
    variants=tuple(BENDS),
)
