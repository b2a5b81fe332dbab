"""Escrow: bytes encrypted under a key of their own, so that they can be deposited now and opened later.

The encryption is Fernet of the package `cryptography` (AES-128-CBC with HMAC-SHA-256), unchanged: whoever has both files opens
them with `Fernet(key).decrypt(escrow)`, with or without tally. A token says when it was made; it is never hashed.
"""

from __future__ import annotations

from dataclasses import dataclass

from cryptography.fernet import Fernet, InvalidToken

from tallystick.core.errors import InputError

__all__ = ["EscrowError", "Sealed", "seal", "unseal"]


class EscrowError(InputError):
    """An escrow that this key does not open, or a key that is none."""


@dataclass(frozen=True, slots=True)
class Sealed:
    """What may be handed out, and the key that opens it; both end in a line feed."""

    escrow: bytes
    key: bytes


def seal(data: bytes) -> Sealed:
    """Encrypt under a new key."""
    key = Fernet.generate_key()
    return Sealed(Fernet(key).encrypt(data) + b"\n", key + b"\n")


def unseal(escrow: bytes, key: bytes) -> bytes:
    """Decrypt.

    Raises:
        EscrowError: the key is none, or another one, or the escrow was changed; which of the last two cannot be told.
    """
    try:
        fernet = Fernet(key.strip())
    except ValueError:
        raise EscrowError("the key is none of tally cohort seal: expected 32 bytes in base64url") from None
    try:
        return fernet.decrypt(escrow.strip())
    except InvalidToken:
        raise EscrowError("the key does not open the escrow: it is another one's, or the escrow was changed") from None
