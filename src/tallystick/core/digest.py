"""The one digest of the product: SHA-256 over file bytes or C1 bytes, written as `sha256:` and 64 lower-case hex digits."""

from __future__ import annotations

import hashlib
import re
from typing import Final, NewType

__all__ = [
    "EMPTY",
    "PATTERN",
    "Digest",
    "Hasher",
    "git_checksum",
    "git_object_id",
    "is_digest",
    "raw",
    "sha256",
    "short",
]

Digest = NewType("Digest", str)

PATTERN: Final = r"^sha256:[0-9a-f]{64}$(?!\n)"
"""For schemas. Python's `$` also matches before a last line feed, which must not pass."""
_MATCH = re.compile(r"sha256:[0-9a-f]{64}").fullmatch


def sha256(data: bytes | bytearray | memoryview) -> Digest:
    """Digest of `data`; the hex part is what `sha256sum` prints."""
    return Digest("sha256:" + hashlib.sha256(data).hexdigest())


class Hasher:
    """Digest of bytes that arrive in pieces."""

    def __init__(self) -> None:
        self._state = hashlib.sha256()

    def update(self, data: bytes | memoryview) -> None:
        """Add `data`."""
        self._state.update(data)

    def digest(self) -> Digest:
        """Digest of everything added so far."""
        return Digest("sha256:" + self._state.hexdigest())


def is_digest(text: object) -> bool:
    """Whether `text` is a digest in its one spelling."""
    return isinstance(text, str) and _MATCH(text) is not None


def raw(digest: Digest) -> bytes:
    """The 32 bytes of a digest."""
    return bytes.fromhex(digest[7:])


def short(digest: str) -> str:
    """A digest shortened for the screen, never for a document."""
    return digest[7:15] + "…" if digest.startswith("sha256:") else digest


EMPTY: Final = sha256(b"")
"""Digest of no bytes."""


def git_object_id(kind: str, data: bytes) -> bytes:
    r"""The 20-byte name of a Git object (SHA-1 over `<kind> <size>\0<data>`); names for Git's use, not for trust."""
    return hashlib.sha1(f"{kind} {len(data)}\0".encode() + data, usedforsecurity=False).digest()


def git_checksum(data: bytes) -> bytes:
    """The SHA-1 trailer of a Git index file; for Git's use, not for trust."""
    return hashlib.sha1(data, usedforsecurity=False).digest()
