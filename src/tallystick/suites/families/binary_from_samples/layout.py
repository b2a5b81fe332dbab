"""The format that a seed draws, and files written in it."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

__all__ = ["CHECKSUMS", "COVERS", "FIELDS", "SIGNED", "UNSIGNED", "Document", "Layout", "Record", "body", "sealed", "written"]

Record = dict[str, Any]
"""One record by the names of its domain; an optional field without a value is left out."""

Document = dict[str, Any]
"""`owner`, `packed`, `mask` (left out where there is none) and the records, by the names of the domain."""

FIELDS: Final = ("at", "kind", "place", "level", "amount", "tags")
"""Roles of a record's fields, apart from its two yes-or-no values `first` and `second`."""
UNSIGNED: Final = ("u16", "u32", "leb", "vlq")
SIGNED: Final = ("i16", "i32", "x16", "zleb", "zvlq")
COVERS: Final = ("file", "after_magic", "body")

_FIXED: Final = {"u8": 1, "u16": 2, "u32": 4, "i16": 2, "i32": 4, "x16": 2}


@dataclass(frozen=True, slots=True)
class Layout:
    """Everything that FORMAT.md leaves to be found out, and the names.

    `bits` are places in a record's first byte by role (`first`, `second`, `place`, `level`); `names` are the domain's, by role.
    """

    names: Mapping[str, str]
    magic: bytes
    version: int
    order: Literal["big", "little"]
    packed_bit: int
    masked_bit: int
    mask_step: int
    text: str
    refs: str
    sorted_table: bool
    first_ref: int
    fields: tuple[str, ...]
    bits: Mapping[str, int]
    set_when_absent: bool
    amount: str
    level: str
    digits: int
    difference: str
    checksum: str
    covers: str


def _groups(value: int, *, low_first: bool) -> bytes:
    parts = [value & 127]
    while value := value >> 7:
        parts.append(value & 127)
    if not low_first:
        parts.reverse()
    return bytes(part | (128 if at < len(parts) - 1 else 0) for at, part in enumerate(parts))


def _number(layout: Layout, kind: str, value: int) -> bytes:
    """A number as `kind` keeps it: fixed width (`x` is excess, `i` two's complement) or groups of seven bits (`z` zigzag)."""
    if kind in _FIXED:
        shifted = value + (1 << 15) if kind == "x16" else value
        return shifted.to_bytes(_FIXED[kind], layout.order, signed=kind.startswith("i"))
    folded = (value << 1 if value >= 0 else (-value << 1) - 1) if kind.startswith("z") else value
    return _groups(folded, low_first=kind.endswith("leb"))


def _text(layout: Layout, text: str) -> bytes:
    data = text.encode()
    return data + b"\0" if layout.text == "nul" else _number(layout, layout.text, len(data)) + data


def _texts(layout: Layout, document: Document) -> list[str]:
    """The table of texts, each once, in the order of the layout."""
    names = layout.names
    used = [document[names["owner"]]]
    for record in document[names["records"]]:
        for role in layout.fields:
            value = record.get(names[role])
            used += value if role == "tags" else [value] if role in {"kind", "place"} and value is not None else []
    once = list(dict.fromkeys(used))
    return sorted(once, key=str.encode) if layout.sorted_table else once


def _bits(layout: Layout, record: Record) -> int:
    found = 0
    for role, bit in layout.bits.items():
        name = layout.names[role]
        is_set = record[name] if role in {"first", "second"} else (name in record) is not layout.set_when_absent
        found |= is_set << bit
    return found


def _fields(layout: Layout, refs: Mapping[str, bytes], record: Record, before: int | None) -> dict[str, bytes]:
    """The bytes of each field by role; `before` is the time of the record before, where only the difference is kept."""
    names, at = layout.names, record[layout.names["at"]]
    tags, level = record[names["tags"]], record.get(names["level"])
    return {
        "at": _number(layout, "u32", at) if before is None else _number(layout, layout.difference, at - before),
        "kind": refs[record[names["kind"]]],
        "place": refs.get(record.get(names["place"], ""), b""),
        "level": b"" if level is None else _number(layout, layout.level, int(level.replace(".", ""))),
        "amount": _number(layout, layout.amount, record[names["amount"]]),
        "tags": _number(layout, layout.refs, len(tags)) + b"".join(refs[tag] for tag in tags),
    }


def body(layout: Layout, document: Document) -> bytes:
    """What stands between the header and the checksum, before it is masked."""
    names, texts = layout.names, _texts(layout, document)
    refs = {text: _number(layout, layout.refs, at + layout.first_ref) for at, text in enumerate(texts)}
    made = _number(layout, layout.refs, len(texts)) + b"".join(_text(layout, text) for text in texts)
    records = document[names["records"]]
    made += refs[document[names["owner"]]] + _number(layout, layout.refs, len(records))
    before = None
    for record in records:
        kept = _fields(layout, refs, record, before)
        made += bytes([_bits(layout, record)]) + b"".join(kept[role] for role in layout.fields)
        before = record[names["at"]] if document["packed"] else None
    return made


def _fletcher(data: bytes) -> int:
    low = high = 0
    for byte in data:
        low = (low + byte) % 255
        high = (high + low) % 255
    return high << 8 | low


def _crc16(data: bytes) -> int:
    crc = 0xFFFF
    for byte in data:
        crc ^= byte << 8
        for _ in range(8):
            crc = (crc << 1 ^ (0x1021 if crc & 0x8000 else 0)) & 0xFFFF
    return crc


CHECKSUMS: Final[Mapping[str, tuple[int, Callable[[bytes], int]]]] = {
    "sum16": (2, lambda data: sum(data) & 0xFFFF),
    "fletcher16": (2, _fletcher),
    "crc16": (2, _crc16),
    "crc32": (4, zlib.crc32),
    "adler32": (4, zlib.adler32),
}
"""Bytes that a checksum takes and its function, by name."""


def sealed(layout: Layout, header: bytes, plain: bytes, mask: int | None) -> bytes:
    """The file of a header (its mask byte left out) and a body: masked, with a right checksum."""
    step = layout.mask_step
    kept = plain if mask is None else bytes(byte ^ (mask + at * step & 255) for at, byte in enumerate(plain))
    whole = header + bytes([mask or 0]) + kept
    covered = {"file": whole, "after_magic": whole[4:], "body": kept}[layout.covers]
    size, function = CHECKSUMS[layout.checksum]
    return whole + function(covered).to_bytes(size, layout.order)


def written(layout: Layout, document: Document) -> bytes:
    """The one file of a document."""
    mask = document.get("mask")
    flags = document["packed"] << layout.packed_bit | (mask is not None) << layout.masked_bit
    return sealed(layout, layout.magic + bytes([layout.version, flags]), body(layout, document), mask)
