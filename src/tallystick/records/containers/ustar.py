"""The one tar header that a `.tally` container has for a name and a size (POSIX.1-1988 ustar).

A header is accepted when it equals, byte for byte, what `header` makes of the name and size it claims. So there is nothing to
interpret: no links, devices, owners, times, extended headers or other spellings of a number.
"""

from __future__ import annotations

import re
from typing import Final

from tallystick.core.digest import Digest
from tallystick.records.containers.common import ContainerError

__all__ = ["BLOCK", "END", "Section", "header", "member_name", "padding", "parse_header", "split_name"]

BLOCK: Final = 512
END: Final = bytes(2 * BLOCK)
"""Two zero blocks end the archive; nothing follows them."""

Section = str
"""`receipts` or `blobs`."""

_NAME_BYTES: Final = 100
_SIZE: Final = slice(124, 136)
_SIZE_FORM = re.compile(rb"[0-7]{11}\x00").fullmatch
_NAME_FORM = re.compile(r"(receipts|blobs)/sha256/([0-9a-f]{64})(\.gz)?").fullmatch


def header(name: str, size: int) -> bytes:
    """The 512 bytes before a member's content, as Python's tarfile writes them for this name and size in its ustar format."""
    fields = (
        name.encode("ascii").ljust(_NAME_BYTES, b"\0"),
        b"0000644\0",  # mode
        b"0000000\0" * 2,  # uid, gid
        b"%011o\0" % size,
        b"00000000000\0",  # mtime
        b" " * 8,  # the checksum is taken over spaces
        b"0",  # regular file
        bytes(100),  # no link target
        b"ustar\x0000",
        bytes(64 + 16),  # no names of user and group, no device numbers
        bytes(155 + 12),  # no prefix; the block is filled up
    )
    block = b"".join(fields)
    return block[:148] + b"%06o\0 " % sum(block) + block[156:]


def padding(size: int) -> int:
    """Zero bytes that fill a member's content up to a block."""
    return -size % BLOCK


def parse_header(block: bytes) -> tuple[str, int]:
    """Name and size of a member.

    Raises:
        ContainerError: any byte differs from what `header` makes of them.
    """
    try:
        name = block[:_NAME_BYTES].rstrip(b"\0").decode("ascii")
    except UnicodeDecodeError:
        raise ContainerError("a tar member's name is not ASCII") from None
    field = block[_SIZE]
    if _SIZE_FORM(field) is None or header(name, int(field[:11], 8)) != block:
        raise ContainerError(f"the tar header of {name[:100]!r} is not the one a .tally bundle has")
    return name, int(field[:11], 8)


def member_name(section: Section, digest: Digest, *, packed: bool) -> str:
    """`<section>/sha256/<hex>`, with `.gz` where the content is deflated."""
    return f"{section}/sha256/{digest[7:]}" + (".gz" if packed else "")


def split_name(name: str) -> tuple[Section, Digest, bool]:
    """Section, digest and whether the content is deflated.

    Raises:
        ContainerError: a name that no member of a `.tally` bundle has.
    """
    match = _NAME_FORM(name)
    if match is None:
        raise ContainerError(f"a .tally bundle has no member named {name[:100]!r}")
    return match[1], Digest("sha256:" + match[2]), match[3] is not None
