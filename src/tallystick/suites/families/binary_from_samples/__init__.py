"""A binary format from samples and half of its description: read it, write it, refuse what is damaged."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

import msgspec

from tallystick.core import c1
from tallystick.suites.families.binary_from_samples.content import (
    damaged,
    draw_document,
    draw_layout,
    malformed,
    sample_documents,
)
from tallystick.suites.families.binary_from_samples.layout import Document, Layout, written
from tallystick.suites.families.draws import Draws
from tallystick.suites.families.family import Authored, Family, filled, parts
from tallystick.suites.families.literals import listed
from tallystick.suites.families.varying import refusing_for_ever

__all__ = ["FAMILY"]

_READ_CHECKSUM: Final = """\
if len(data) < 7 + size or checksum(data[{covered_from}:-size]) != data[-size:]:
    raise ValueError("the checksum is wrong")
"""
_READ_HEADER: Final = """\
if data[:4] != START or data[4] != VERSION:
    raise ValueError("not a file of this kind or version")
if data[5] & ~(PACKED | MASKED):
    raise ValueError("a flag without a meaning")
"""
_READ_REFERENCE: Final = """\
if not 0 <= at < len(texts):
    raise ValueError("a text that is not there")
"""
_READ_REST: Final = """\
if reader.at != len(body):
    raise ValueError("bytes left over")
"""
_SORTED_TABLE: Final = """\
used = {{document["{owner}"]}}
for record in document["{records}"]:
    used.update([record["{kind}"], *record["{tags}"]])
    used.update([record["{place}"]] if "{place}" in record else [])
for text in sorted(used, key=str.encode):
    texts[text] = len(texts) + FIRST_TEXT
"""
_READ_FIELD: Final = {
    "at": """\
if flags & PACKED and records:
    record["{at}"] = records[-1]["{at}"] + reader.number("{difference}")
else:
    record["{at}"] = reader.number("u32")
""",
    "kind": 'record["{kind}"] = referred()\n',
    "place": 'if found["{place}"] is not SET_WHEN_ABSENT:\n    record["{place}"] = referred()\n',
    "level": """\
if found["{level}"] is not SET_WHEN_ABSENT:
    level = reader.number("{level_kind}")
    sign, level = "-" if level < 0 else "", str(abs(level)).zfill(DIGITS + 1)
    record["{level}"] = sign + level[:-DIGITS] + "." + level[-DIGITS:]
""",
    "amount": 'record["{amount}"] = reader.number("{amount_kind}")\n',
    "tags": 'record["{tags}"] = [referred() for _ in range(reader.number("{refs}"))]\n',
}
_WRITE_FIELD: Final = {
    "at": """\
if document["packed"] and before is not None:
    body += number("{difference}", record["{at}"] - before)
else:
    body += number("u32", record["{at}"])
""",
    "kind": 'refer(record["{kind}"])\n',
    "place": 'if "{place}" in record:\n    refer(record["{place}"])\n',
    "level": 'if "{level}" in record:\n    body += number("{level_kind}", int(record["{level}"].replace(".", "")))\n',
    "amount": 'body += number("{amount_kind}", record["{amount}"])\n',
    "tags": 'body += number("{refs}", len(record["{tags}"]))\nfor tag in record["{tags}"]:\n    refer(tag)\n',
}

_EMPTY_PLACE: Final = re.compile(r"\n +(?=\n)")

_NO_PACKED: Final = {"read_modes": "if flags:\n    raise NotImplementedError"}
_NO_MASKED: Final = {"read_modes": "if flags & MASKED:\n    raise NotImplementedError"}
_NO_ENCODER: Final = {"write_modes": "raise NotImplementedError"}
_PLAIN_ENCODER: Final = {"write_modes": 'if document["packed"] or "mask" in document:\n    raise NotImplementedError'}
_NO_CHECKSUM: Final = {"read_checksum": ""}
_TRUSTING: Final = {"read_header": "", "read_reference": "", "read_rest": ""}
_PARTIALS: Final[Mapping[str, dict[str, str]]] = {
    "decodes_plain": _NO_PACKED | _NO_CHECKSUM | _TRUSTING | _NO_ENCODER,
    "decodes_packed": _NO_MASKED | _NO_CHECKSUM | _TRUSTING | _NO_ENCODER,
    "decodes_all": _NO_CHECKSUM | _TRUSTING | _NO_ENCODER,
    "sees_damage": _TRUSTING | _NO_ENCODER,
    "encodes_plain": _TRUSTING | _PLAIN_ENCODER,
    "trusts_content": _TRUSTING,
}
"""What each partial solution has in the places of the whole one."""


def _constants(layout: Layout) -> dict[str, str]:
    counted = f'number("{layout.text}", len(text.encode())) + text.encode()'
    return dict(layout.names) | {
        "magic": repr(layout.magic),
        "version": str(layout.version),
        "order": layout.order,
        "packed_bit": str(layout.packed_bit),
        "masked_bit": str(layout.masked_bit),
        "step": str(layout.mask_step),
        "first_ref": str(layout.first_ref),
        "bits": repr({layout.names[role]: bit for role, bit in layout.bits.items()}),
        "set_when_absent": str(layout.set_when_absent),
        "digits": str(layout.digits),
        "text": layout.text,
        "refs": layout.refs,
        "checksum": layout.checksum,
        "covered_from": {"file": "0", "after_magic": "4", "body": "7"}[layout.covers],
        "difference": layout.difference,
        "level_kind": layout.level,
        "amount_kind": layout.amount,
        "write_text": 'text.encode() + b"\\0"' if layout.text == "nul" else counted,
    }


def _code(layout: Layout) -> dict[str, str]:
    """The places of the solution."""
    values = _constants(layout)
    places = {
        "read_checksum": _READ_CHECKSUM,
        "read_header": _READ_HEADER,
        "read_modes": "",
        "read_reference": _READ_REFERENCE,
        "read_rest": _READ_REST,
        "read_fields": "".join(_READ_FIELD[role] for role in layout.fields),
        "write_fields": "".join(_WRITE_FIELD[role] for role in layout.fields),
        "write_modes": "",
        "write_table": _SORTED_TABLE if layout.sorted_table else "",
    }
    return values | {name: text.format(**values).rstrip("\n") for name, text in places.items()}


def _pairs(layout: Layout, documents: Iterable[Document]) -> str:
    """Python: files in hex with their documents."""
    return listed((written(layout, document).hex(), document) for document in documents)


def _hidden(layout: Layout, draws: Draws) -> dict[str, str]:
    def some(*, packed: bool, masked: bool) -> list[Document]:
        return [draw_document(layout, draws, count, packed=packed, masked=masked) for count in (0, 1, 3, 4, 6, 9, 14)]

    plain = some(packed=False, masked=False)
    return {
        "hidden_plain": _pairs(layout, plain),
        "hidden_packed": _pairs(layout, some(packed=True, masked=False)),
        "hidden_masked": _pairs(layout, some(packed=False, masked=True) + some(packed=True, masked=True)),
        "damaged": repr([data.hex() for data in damaged(layout, draws, plain)]),
        "malformed": repr([data.hex() for data in malformed(layout, draws, plain[4])]),
    }


def _sample(layout: Layout, document: Document) -> str:
    text = c1.encode({"decoded": document, "hex": written(layout, document).hex()})
    return msgspec.json.format(text, indent=1).decode() + "\n"


def _make(draws: Draws) -> Authored:
    layout = draw_layout(draws.apart("layout"))
    samples = sample_documents(layout, draws.apart("samples"))
    values = _code(layout) | _hidden(layout, draws.apart("hidden")) | {"known": _pairs(layout, samples)}
    template = (Path(__file__).parent / "parts/solution/codec.py").read_text(encoding="utf-8")
    authored = parts(__file__, values)
    authored |= {f"partials/{name}/codec.py": filled(template, values | places) for name, places in _PARTIALS.items()}
    unread = filled(template, values | {"read_reference": "", "read_rest": ""})
    authored["cheats/refuses_once_and_for_all/codec.py"] = refusing_for_ever(unread, "decode", "data")
    authored = {path: _EMPTY_PLACE.sub("\n", text) for path, text in authored.items()}
    return authored | {f"workspace/samples/{at:02d}.json": _sample(layout, document) for at, document in enumerate(samples, 1)}


FAMILY: Final = Family("binary_from_samples", "A binary format known from samples and half a description", "stretch", _make)
