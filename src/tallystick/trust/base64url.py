"""Base64url without padding (RFC 7515 section 2), read strictly: every byte string has one spelling."""

from __future__ import annotations

import base64
import re

from tallystick.core.errors import InputError

__all__ = ["Base64Error", "decode", "encode"]

_ALPHABET = re.compile(r"[A-Za-z0-9_-]*").fullmatch


class Base64Error(InputError):
    """Text that is not the one base64url spelling of its bytes."""


def encode(data: bytes) -> str:
    """`data` as base64url without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode("ascii")


def decode(text: str) -> bytes:
    """The bytes that `encode` writes as `text`.

    Raises:
        Base64Error: characters outside the alphabet, padding, an impossible length, or spare bits that are not zero.
    """
    if _ALPHABET(text) is None:
        raise Base64Error(f"not base64url without padding: {text[:60]!r}")
    # One character alone carries no byte: the length is impossible whatever the padding.
    data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)) if len(text) % 4 != 1 else b""
    if encode(data) != text:
        raise Base64Error(f"not the one base64url spelling of its bytes: {text[:60]!r}")
    return data
