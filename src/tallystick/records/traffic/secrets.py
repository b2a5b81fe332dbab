"""Keys in recorded bytes: the values that are known, however they are spelled, and what looks like a key.

Each shape begins at the start of a word and has a bounded length, so that searching costs the length of the data.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

from tallystick.records.traffic.foreign import write_json

__all__ = ["Found", "find_secrets", "spellings"]

SHORTEST: Final = 8
"""Bytes of a known value that is looked for: a shorter one stands anywhere by chance."""

FOUND: Final = 1000
"""Findings that are returned; one is enough to act on."""

_SHAPES: Final[tuple[tuple[str, bytes, bytes], ...]] = (
    ("anthropic key", b"sk-ant-", rb"[A-Za-z0-9_-]{20,256}+"),
    ("openai key", b"sk-", rb"(?!ant-)[A-Za-z0-9_-]{20,256}+"),
    ("google key", b"AIza", rb"[A-Za-z0-9_-]{35}+(?![A-Za-z0-9_-])"),
    ("google token", b"ya29.", rb"[A-Za-z0-9_-]{20,512}+"),
    ("github token", b"gh", rb"[pousr]_[A-Za-z0-9]{36,255}+"),
    ("github token", b"github_pat_", rb"[A-Za-z0-9_]{22,255}+"),
    ("aws key", b"AKIA", rb"[A-Z0-9]{16}+(?![A-Za-z0-9])"),
    ("aws key", b"ASIA", rb"[A-Z0-9]{16}+(?![A-Za-z0-9])"),
    ("slack token", b"xox", rb"[abeoprs]-[A-Za-z0-9-]{10,256}+"),
    ("jwt", b"eyJ", rb"[A-Za-z0-9_-]{10,4096}+\.eyJ[A-Za-z0-9_-]{10,4096}+\.[A-Za-z0-9_-]{10,1024}+"),
)
"""What it is, the letters it begins with and what comes after them."""


def _word(begin: bytes, rest: bytes) -> re.Pattern[bytes]:
    """A pattern for a word that begins so.

    The letters come first and what stands before them is looked at then: `re` finds letters some twenty times faster than the
    starts of words.
    """
    letters = re.escape(begin)
    return re.compile(letters + rb"(?<![A-Za-z0-9_-]" + letters + rb")" + rest)


_PATTERNS: Final = tuple((kind, _word(begin, rest)) for kind, begin, rest in _SHAPES)
_PEM: Final = re.compile(rb"-----BEGIN (?:[A-Z0-9]{1,16} ){0,3}PRIVATE KEY(?: BLOCK)?-----")
_PLACEHOLDER: Final = re.compile(rb"(?:sk-|sk-ant-|sk-ant-[a-z0-9]{1,8}-)?tally-[0-9a-f]{8,128}").fullmatch
_KEY_LIKE: Final = re.compile(rb"[0-9]").search
_CAPITAL: Final = re.compile(rb"[A-Z]").search


class Found(NamedTuple):
    """A secret at `start`, `length` bytes long. `kind` says what it is; the secret itself is never repeated."""

    kind: str
    start: int
    length: int


def find_secrets(data: bytes, values: Sequence[bytes] = ()) -> tuple[Found, ...]:
    """Secrets in `data`, in order: the given values, also in base64, URL quoting, JSON escapes and hex, and known shapes.

    Placeholders `tally-<hex>`, with or without the beginning of a provider's key, are none.
    """
    found = set()
    for item in (*_known(data, values), *_shaped(data)):
        found.add(item)
        if len(found) >= FOUND:
            break
    return tuple(sorted(found, key=lambda item: (item.start, -item.length, item.kind)))


def _shaped(data: bytes) -> Iterator[Found]:
    for kind, pattern in _PATTERNS:
        for match in pattern.finditer(data):
            if _PLACEHOLDER(match[0]) is None and (kind != "openai key" or _random(match[0])):
                yield Found(kind, match.start(), len(match[0]))
    for match in _PEM.finditer(data):
        yield Found("private key", match.start(), len(match[0]))


def _random(key: bytes) -> bool:
    """Names of styles begin with `sk-` too; a key has capitals and digits."""
    return _KEY_LIKE(key) is not None and _CAPITAL(key) is not None


def _known(data: bytes, values: Sequence[bytes]) -> Iterator[Found]:
    for value in values:
        if len(value) < SHORTEST or _PLACEHOLDER(value):
            continue
        for kind, spell in _SPELLINGS:
            for spelled in dict.fromkeys(spell(value)):
                yield from (Found(kind, start, len(spelled)) for start in _places(data, spelled))


def _places(data: bytes, wanted: bytes) -> Iterator[int]:
    at = data.find(wanted) if wanted else -1
    while at >= 0:
        yield at
        at = data.find(wanted, at + len(wanted))


def _base64(value: bytes) -> Iterator[bytes]:
    """The characters of base64 that depend on `value` alone, for each of the three places it can start at."""
    for shift in range(3):
        text = base64.b64encode(b"\0" * shift + value)
        sure = text[-(-shift * 8 // 6) : (shift + len(value)) * 8 // 6]
        yield sure
        yield sure.translate(bytes.maketrans(b"+/", b"-_"))


def _url(value: bytes) -> Iterator[bytes]:
    """Percent signs for what is not unreserved (RFC 3986), and for every byte; hex digits in both cases."""
    for keep in (_unreserved, lambda _: False):
        upper = b"".join(bytes([byte]) if keep(byte) else b"%%%02X" % byte for byte in value)
        yield upper
        yield re.sub(rb"%..", lambda match: match[0].lower(), upper)


def _unreserved(byte: int) -> bool:
    return bytes([byte]).isalnum() or byte in b"-._~"


def _escaped(value: bytes) -> Iterator[bytes]:
    r"""As a JSON string, and as one inside another, with and without `\/`."""
    text = value.decode("utf-8", "replace")
    once = write_json(text)[1:-1]
    for spelled in (once, write_json(once)[1:-1]):
        yield spelled.encode("ascii")
        yield spelled.replace("/", "\\/").encode("ascii")


_SPELLINGS: Final[tuple[tuple[str, Callable[[bytes], Iterator[bytes]]], ...]] = (
    ("given value", lambda value: iter((value,))),
    ("given value in base64", _base64),
    ("given value in a URL", _url),
    ("given value in JSON", _escaped),
    ("given value in hex", lambda value: iter((value.hex().encode(), value.hex().upper().encode()))),
)


def spellings(value: bytes) -> frozenset[bytes]:
    """Every spelling of a value that `find_secrets` looks for; none of one that is too short or a placeholder."""
    if len(value) < SHORTEST or _PLACEHOLDER(value):
        return frozenset()
    return frozenset(spelled for _, spell in _SPELLINGS for spelled in spell(value) if spelled)
