"""Answers as they were on the wire, taken apart: the JSON texts of a body, of a stream of events, or of a list of chunks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any, Final

import msgspec

from tallystick.core import limits

__all__ = ["answer_texts", "is_stream", "parts_of"]

_decode: Final = msgspec.json.Decoder().decode
_DEPTH: Final = 64


def is_stream(content_type: str, data: bytes) -> bool:
    """Whether an answer is a stream of server-sent events; where no type is given, its beginning tells."""
    if content_type:
        return content_type.partition(";")[0].strip().lower() == "text/event-stream"
    return data.lstrip().startswith((b"data:", b"event:"))


def parts_of(content_type: str, data: bytes) -> Iterator[dict[str, Any]]:
    """The JSON objects of an answer in order: one of a plain body, those of a stream's events, or of a list's items.

    What is not JSON, or longer than is read, is passed over.
    """
    texts = _events(data) if is_stream(content_type, data) else iter((data,))
    for text in texts:
        if len(text) > limits.DOCUMENT_BYTES:
            continue
        try:
            value = _decode(text)
        except (ValueError, RecursionError):
            continue
        yield from (item for item in (value if isinstance(value, list) else [value]) if isinstance(item, dict))


def _events(data: bytes) -> Iterator[bytes]:
    """The data of every event (WHATWG HTML, 9.2): lines end with CR, LF or both, an empty line ends an event."""
    held: list[bytes] = []
    for line in data.removeprefix(b"\xef\xbb\xbf").splitlines():
        name, _, value = line.partition(b":")
        if name == b"data":
            held.append(value.removeprefix(b" "))
        elif not line and held:
            yield b"\n".join(held)
            held = []
    if held:  # a cut stream: what is whole in it still counts
        yield b"\n".join(held)


def answer_texts(content_type: str, data: bytes) -> list[str]:
    """Every string of an answer; those of a stream put together from the pieces at the same place, and the answer itself."""
    pieces: defaultdict[tuple[object, ...], list[str]] = defaultdict(list)
    for part in parts_of(content_type, data):
        place = tuple(part.get(name) for name in ("index", "output_index", "content_index") if type(part.get(name)) is int)
        _strings(part, place, pieces)
    return [data.decode("utf-8", "replace"), *map("".join, pieces.values())]


def _strings(value: Any, place: tuple[object, ...], pieces: defaultdict[tuple[object, ...], list[str]]) -> None:
    if len(place) > _DEPTH:
        return
    if isinstance(value, str):
        pieces[place].append(value)
    elif isinstance(value, dict):
        own = value.get("index")
        for name, item in value.items():
            _strings(item, (*place, name, own) if type(own) is int else (*place, name), pieces)
    elif isinstance(value, list):
        for number, item in enumerate(value):
            _strings(item, (*place, number), pieces)
