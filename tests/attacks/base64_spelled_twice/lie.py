from __future__ import annotations

import base64
from collections.abc import Callable
from typing import Any

from tests.attacks.kit import Container, Lie, Step, Unreadable
from tests.support.forge import repacked

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


EMPTY_BLOCK = bytes.fromhex("000000ffff")
"""A stored deflate block of no bytes: content stays, the length of the stream changes."""


def padded(blobs: dict[str, Any]) -> str:
    """The same contents in base64 that ends in padding."""
    raw = base64.b64decode(blobs["data"])
    return base64.b64encode(raw if len(raw) % 3 else EMPTY_BLOCK + raw).decode()


def spare(data: str) -> str:
    body = data.rstrip("=")
    return body[:-1] + ALPHABET[ALPHABET.index(body[-1]) + 1] + data[len(body) :]


SPELLINGS: dict[str, Callable[[str], str]] = {
    "url_alphabet": lambda data: data.replace("+", "-").replace("/", "_"),
    "line_feed": lambda data: data[:76] + "\n" + data[76:],
    "space_behind": lambda data: data + " ",
    "no_padding": lambda data: data.rstrip("="),
    "more_padding": lambda data: data + "====",
    "spare_bits": spare,
    "padding_inside": lambda data: data[:4] + "====" + data[4:],
}


def rewrite(data: bytes, container: Container, variant: str) -> bytes:
    return repacked(data, lambda blobs: blobs.update(data=SPELLINGS[variant](padded(blobs))))


REFUSED = Unreadable(Step.container, "is not base64")
LIE = Lie(rewrite=rewrite, edited=REFUSED, resigned=REFUSED, containers=("json",), variants=tuple(SPELLINGS))
