from __future__ import annotations

from tests.attacks.kit import Container, Lie, Step, Unreadable

FIELDS = {
    "mode": (100, b"0000777\0"),
    "setuid": (100, b"0004755\0"),
    "owner": (108, b"0001750\0"),
    "time": (136, b"15000000000\0"),
    "size_with_space": (124, b"00000000004 "),
    "size_in_base_256": (124, b"\x80" + bytes(10) + b"\x04"),
    "gnu_magic": (257, b"ustar  \0"),
    "no_magic": (257, bytes(8)),
    "user": (265, b"root\0"),
    "device": (329, b"0000001\0"),
    "prefix": (345, b"../../tmp\0"),
    "tail": (500, b"hidden text\0"),
}


def rewrite(data: bytes, container: Container, variant: str) -> bytes:
    at = data.index(b"\0receipts/sha256/") + 1
    block = bytearray(data[at : at + 512])
    if variant != "checksum":
        start, value = FIELDS[variant]
        block[start : start + len(value)] = value
        block[148:156] = b" " * 8
        block[148:156] = b"%06o\0 " % sum(block)
    else:
        block[148:156] = b"0000000\0"
    return data[:at] + bytes(block) + data[at + 512 :]


REFUSED = Unreadable(Step.container, "the tar header of .* is not the one a .tally bundle has")
LIE = Lie(rewrite=rewrite, edited=REFUSED, resigned=REFUSED, containers=("tally",), variants=(*FIELDS, "checksum"))
