from __future__ import annotations

from tests.attacks.kit import Container, Lie, Step, Unreadable

KINDS = {
    "old_regular": b"\0",
    "hard_link": b"1",
    "symbolic_link": b"2",
    "character_device": b"3",
    "block_device": b"4",
    "folder": b"5",
    "fifo": b"6",
    "contiguous": b"7",
    "sparse": b"S",
    "long_name": b"L",
    "long_link": b"K",
    "pax": b"x",
    "pax_global": b"g",
}


def rewrite(data: bytes, container: Container, variant: str) -> bytes:
    at = data.index(b"\0receipts/sha256/") + 1
    block = bytearray(data[at : at + 512])
    block[156:157] = KINDS[variant]
    if variant.endswith("_link"):
        block[157:168] = b"/etc/passwd"
    block[148:156] = b" " * 8
    block[148:156] = b"%06o\0 " % sum(block)
    return data[:at] + bytes(block) + data[at + 512 :]


REFUSED = Unreadable(Step.container, "the tar header of .* is not the one a .tally bundle has")
LIE = Lie(rewrite=rewrite, edited=REFUSED, resigned=REFUSED, containers=("tally",), variants=tuple(KINDS))
