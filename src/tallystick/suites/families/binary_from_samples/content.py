"""Drawn formats, documents that show all of them, and files that are damaged."""

from __future__ import annotations

from typing import Final

from tallystick.suites.families.binary_from_samples.layout import (
    CHECKSUMS,
    COVERS,
    FIELDS,
    SIGNED,
    UNSIGNED,
    Document,
    Layout,
    Record,
    body,
    sealed,
    written,
)
from tallystick.suites.families.draws import Draws

__all__ = ["damaged", "draw_document", "draw_layout", "malformed", "sample_documents"]

_ROLES: Final = ("thing", "ending", "owner", "records", *FIELDS, "first", "second")
_DOMAINS: Final = (
    "tide gauge|tdg|station|readings|at|quality|berth|height|pings|marks|manual|flood",
    "lift journal|lfj|building|trips|started|reason|caller|load|floors|notices|express|stuck",
    "greenhouse logger|ghl|house|samples|taken|crop|bed|warmth|lux|sprays|vented|shaded",
    "freight scale|fsc|depot|weighings|weighed|cargo|haulier|drift|axles|seals|checked|refused",
    "bee hive monitor|bhm|apiary|visits|seen|brood|keeper|gain|frames|signs|fed|swarmed",
    "night train recorder|ntr|train|halts|stopped|cause|platform|delay|doors|faults|heated|dark",
    "well pump|wlp|well|cycles|began|mode|valve|pressure|strokes|alarms|primed|leaking",
    "bell tower clock|btc|tower|strikes|struck|tune|ringer|offset|peals|works|frozen|wound",
)
_WORDS: Final = (
    "amber",
    "Bergün",
    "cobalt",
    "dusk",
    "éclair",
    "fen",
    "granite",
    "Härtel",
    "indigo",
    "juniper",
    "krypton",
    "lagoon",
    "märz",
    "nimbus",
    "ochre",
    "piñon",
    "quartz",
    "rook",
    "sable",
    "tundra",
    "umbra",
    "violet",
    "Wärme",
    "xenon",
    "yarrow",
    "Zürich",
    "ash",
    "birch",
    "cedar",
    "Ørsted",
    "elm",
    "fir",
    "gorse",
    "hazel",
    "ivy",
    "jade",
    "kelp",
    "larch",
    "moss",
    "Nîmes",
)
_LOWEST_TIME: Final = 1_000_000_000


def draw_layout(draws: Draws) -> Layout:
    """A format; every member is independent of the others."""
    names = dict(zip(_ROLES, draws.pick(_DOMAINS).split("|"), strict=True))
    header, record = draws.sample(range(8), 2), draws.sample(range(8), 4)
    return Layout(
        names=names,
        magic=names["ending"].upper().encode() + bytes([draws.between(128, 254)]),
        version=draws.between(1, 9),
        order=draws.pick(("big", "little")),
        packed_bit=header[0],
        masked_bit=header[1],
        mask_step=draws.between(3, 251),
        text=draws.pick(("u8", "u16", "nul")),
        refs=draws.pick(("u8", "u16")),
        sorted_table=draws.chance(1, 2),
        first_ref=draws.below(2),
        fields=tuple(draws.shuffled(FIELDS)),
        bits=dict(zip(("first", "second", "place", "level"), record, strict=True)),
        set_when_absent=draws.chance(1, 2),
        amount=draws.pick(UNSIGNED),
        level=draws.pick(SIGNED),
        digits=draws.between(1, 3),
        difference=draws.pick(SIGNED),
        checksum=draws.pick(tuple(CHECKSUMS)),
        covers=draws.pick(COVERS),
    )


def _decimal(value: int, digits: int) -> str:
    whole, part = divmod(abs(value), 10**digits)
    return f"{'-' if value < 0 else ''}{whole}.{part:0{digits}d}"


def _record(layout: Layout, draws: Draws, at: int, *, full: bool = False) -> Record:
    names = layout.names
    large = 30_000 if layout.level in {"i16", "x16"} else 3_000_000
    level = draws.between(-large, large) if draws.chance(2, 3) else draws.between(-99, 99)
    amount = draws.below(65_536 if layout.amount == "u16" else 1 << 31) if draws.chance(2, 3) else draws.below(200)
    record: Record = {
        names["at"]: at,
        names["kind"]: draws.pick(_WORDS),
        names["amount"]: amount,
        names["tags"]: draws.sample(_WORDS, draws.below(4)),
        names["first"]: draws.chance(1, 2),
        names["second"]: draws.chance(1, 2),
    }
    if full or draws.chance(1, 2):
        record[names["place"]] = draws.pick(_WORDS)
    if full or draws.chance(2, 3):
        record[names["level"]] = _decimal(level, layout.digits)
    return record


def draw_document(layout: Layout, draws: Draws, records: int, *, packed: bool, masked: bool) -> Document:
    """A document of as many records; times go forward and back by less than 30,000 seconds."""
    at, made = _LOWEST_TIME + draws.below(900_000_000), []
    for _ in range(records):
        made.append(_record(layout, draws, at))
        at += draws.between(-29_999, 29_999) if draws.chance(1, 2) else draws.between(-60, 300)
    document: Document = {
        layout.names["owner"]: " ".join(draws.sample(_WORDS, 2)),
        "packed": packed,
        layout.names["records"]: made,
    }
    return document | ({"mask": draws.between(1, 255)} if masked else {})


def _telling(layout: Layout, document: Document) -> Document:
    """The document with records in front whose values tell every way of keeping a number from every other."""
    names, at = layout.names, 1_600_000_000
    high = 29_876 if layout.level in {"i16", "x16"} else 2_987_654
    amount = 64_321 if layout.amount == "u16" else 2_023_456_789
    told = [
        (at, "quartz", "cedar", 1, high, 1, True, False, ["moss", "amber"]),
        (at + 300, "birch", "amber", 1, -high, amount, False, True, []),
        (at - 29_000, "amber", "", 0, -7, 300, False, False, ["quartz"]),
        (at - 28_999, "Zürich", "Nîmes", 0, 0, 0, True, True, ["éclair", "ash", "birch"]),
        (at - 28_940, "ash", "", 1, 0, 128, False, False, []),
    ]
    made = []
    for seconds, kind, place, has_level, level, count, first, second, tags in told:
        record: Record = {names["at"]: seconds, names["kind"]: kind, names["amount"]: count, names["tags"]: tags}
        record |= {names["first"]: first, names["second"]: second}
        record |= {names["place"]: place} if place else {}
        made.append(record | ({names["level"]: _decimal(level, layout.digits)} if has_level else {}))
    behind = document[names["records"]]
    later = [record | {names["at"]: record[names["at"]] - behind[0][names["at"]] + at + 17} for record in behind]
    return document | {names["records"]: made + later}


def sample_documents(layout: Layout, draws: Draws) -> list[Document]:
    """Seven documents, the simple ones first, that show the whole format."""
    plain = [draw_document(layout, draws, count, packed=False, masked=False) for count in (0, 1, 2)]
    told = [
        _telling(layout, draw_document(layout, draws, 1, packed=False, masked=False)),
        _telling(layout, draw_document(layout, draws, 2, packed=True, masked=False)),
    ]
    masked = [draw_document(layout, draws, count, packed=packed, masked=True) for count, packed in ((1, False), (4, True))]
    return plain + told + masked


def damaged(layout: Layout, draws: Draws, documents: list[Document]) -> list[bytes]:
    """Files with one byte changed behind the header, cut short, or longer by a byte."""
    found = []
    for data in (written(layout, document) for document in documents):
        places = (draws.between(7, len(data) - 1), len(data) - 1)
        found += [data[:at] + bytes([data[at] ^ draws.between(1, 254)]) + data[at + 1 :] for at in places]
        found += [data[: draws.between(len(data) // 2, len(data) - 1)], data + b"\0"]
    return [data for data in found if not _sound(layout, data)] + [b"", layout.magic]


def _sound(layout: Layout, data: bytes) -> bool:
    """Whether the checksum of some bytes is right after all."""
    size, function = CHECKSUMS[layout.checksum]
    start = {"file": 0, "after_magic": 4, "body": 7}[layout.covers]
    return function(data[start:-size]).to_bytes(size, layout.order) == data[-size:]


def malformed(layout: Layout, draws: Draws, document: Document) -> list[bytes]:
    """Files whose checksum is right and whose content is not: header, bytes left over, texts that are not there."""
    plain, flags = body(layout, document), document["packed"] << layout.packed_bit
    magic, version = layout.magic, layout.version
    other = magic[:3] + bytes([magic[3] ^ 1 << draws.below(3)])
    undefined = draws.pick([bit for bit in range(8) if bit not in {layout.packed_bit, layout.masked_bit}])
    headers = [
        other + bytes([version, flags]),
        magic + bytes([version + 1, flags]),
        magic + bytes([version, flags | 1 << undefined]),
    ]
    files = [sealed(layout, header, plain, None) for header in headers]
    right = magic + bytes([version, flags])
    files += [sealed(layout, right, plain + bytes(draws.between(1, 4)), None)]
    files += [sealed(layout, right, plain[: -draws.between(1, 2)], None)]
    width = 1 if layout.refs == "u8" else 2
    table_only = (1).to_bytes(width, layout.order) + _one_text(layout)
    absent = [layout.first_ref + 1, layout.first_ref + draws.between(2, 90)] + ([0] if layout.first_ref else [])
    for beyond in absent:
        ending = beyond.to_bytes(width, layout.order) + bytes(width)
        files.append(sealed(layout, right, table_only + ending, None))
    return files


def _one_text(layout: Layout) -> bytes:
    if layout.text == "nul":
        return b"ash\0"
    return (3).to_bytes(1 if layout.text == "u8" else 2, layout.order) + b"ash"
