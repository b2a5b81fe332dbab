"""Read and write .@{ending} files of a @{thing}; see FORMAT.md."""

import zlib

START = @{magic}
VERSION = @{version}
ORDER = "@{order}"
PACKED, MASKED = 1 << @{packed_bit}, 1 << @{masked_bit}
STEP = @{step}
FIRST_TEXT = @{first_ref}
BITS = @{bits}
SET_WHEN_ABSENT = @{set_when_absent}
DIGITS = @{digits}
WIDTHS = {"u8": 1, "u16": 2, "u32": 4, "i16": 2, "i32": 4, "x16": 2}


class Reader:
    def __init__(self, data):
        self.data = data
        self.at = 0

    def take(self, count):
        if self.at + count > len(self.data):
            raise ValueError("the body ends early")
        self.at += count
        return self.data[self.at - count : self.at]

    def number(self, kind):
        if kind in WIDTHS:
            value = int.from_bytes(self.take(WIDTHS[kind]), ORDER, signed=kind[0] == "i")
            return value - 32768 if kind == "x16" else value
        groups = [self.take(1)[0]]
        while groups[-1] & 128:
            groups.append(self.take(1)[0])
        if kind.endswith("leb"):
            groups.reverse()
        value = 0
        for group in groups:
            value = value << 7 | group & 127
        if kind[0] == "z":
            return -(value >> 1) - 1 if value & 1 else value >> 1
        return value

    def text(self):
        kind = "@{text}"
        if kind != "nul":
            return self.take(self.number(kind)).decode()
        end = self.data.find(b"\0", self.at)
        if end < 0:
            raise ValueError("a text without an end")
        return self.take(end + 1 - self.at)[:-1].decode()


def number(kind, value):
    if kind in WIDTHS:
        value += 32768 if kind == "x16" else 0
        return value.to_bytes(WIDTHS[kind], ORDER, signed=kind[0] == "i")
    if kind[0] == "z":
        value = 2 * value if value >= 0 else -2 * value - 1
    groups = [value & 127]
    while value > 127:
        value >>= 7
        groups.append(value & 127)
    if kind.endswith("vlq"):
        groups.reverse()
    return bytes(group | 128 for group in groups[:-1]) + bytes(groups[-1:])


def checksum(data):
    kind = "@{checksum}"
    if kind == "sum16":
        return (sum(data) % 65536).to_bytes(2, ORDER)
    if kind == "fletcher16":
        low = high = 0
        for byte in data:
            low = (low + byte) % 255
            high = (high + low) % 255
        return (high * 256 + low).to_bytes(2, ORDER)
    if kind == "crc16":
        crc = 0xFFFF
        for byte in data:
            crc ^= byte << 8
            for _ in range(8):
                crc = crc << 1 ^ (0x1021 if crc & 0x8000 else 0)
            crc &= 0xFFFF
        return crc.to_bytes(2, ORDER)
    return getattr(zlib, kind)(data).to_bytes(4, ORDER)


def masked(data, mask):
    return bytes(byte ^ (mask + at * STEP) % 256 for at, byte in enumerate(data))


def decode(data):
    """The document of a file given as `bytes`; `ValueError` for what is no sound file."""
    size = len(checksum(b""))
    @{read_checksum}
    @{read_header}
    flags, mask = data[5], data[6]
    @{read_modes}
    body = data[7:-size]
    if flags & MASKED:
        body = masked(body, mask)
    reader = Reader(body)
    texts = [reader.text() for _ in range(reader.number("@{refs}"))]

    def referred():
        at = reader.number("@{refs}") - FIRST_TEXT
        @{read_reference}
        return texts[at]

    document = {"@{owner}": referred(), "packed": bool(flags & PACKED)}
    if flags & MASKED:
        document["mask"] = mask
    records = []
    for _ in range(reader.number("@{refs}")):
        bits = reader.take(1)[0]
        found = {name: bool(bits & 1 << bit) for name, bit in BITS.items()}
        record = {"@{first}": found["@{first}"], "@{second}": found["@{second}"]}
        @{read_fields}
        records.append(record)
    document["@{records}"] = records
    @{read_rest}
    return document


def encode(document):
    """The file of a document, as `bytes`: what `decode` would make that document of."""
    @{write_modes}
    texts = {}
    body = bytearray()

    def refer(text):
        if text not in texts:
            texts[text] = len(texts) + FIRST_TEXT
        body.extend(number("@{refs}", texts[text]))

    @{write_table}
    refer(document["@{owner}"])
    body += number("@{refs}", len(document["@{records}"]))
    before = None
    for record in document["@{records}"]:
        bits = 0
        for name, bit in BITS.items():
            optional = name in ("@{place}", "@{level}")
            bits |= ((name in record) is not SET_WHEN_ABSENT if optional else record[name]) << bit
        body.append(bits)
        @{write_fields}
        before = record["@{at}"]
    table = number("@{refs}", len(texts))
    for text in texts:
        table += @{write_text}
    body = table + bytes(body)
    mask = document.get("mask", 0)
    flags = (PACKED if document["packed"] else 0) | (MASKED if mask else 0)
    if mask:
        body = masked(body, mask)
    whole = START + bytes([VERSION, flags, mask]) + body
    return whole + checksum(whole[@{covered_from}:])
