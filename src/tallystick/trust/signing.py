"""Private keys. The only module that touches one; it takes and gives bytes, and `tallystick.trust.store` keeps the files.

There is one kind of signer. A missing or broken key is an error, never a reason to sign with something else.
"""

from __future__ import annotations

from typing import Self

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)

from tallystick.core.errors import InputError
from tallystick.trust import jws
from tallystick.trust.keys import PublicKey

__all__ = ["Signer", "SigningKeyError"]


class SigningKeyError(InputError):
    """Bytes that are no unencrypted Ed25519 private key in PKCS#8 PEM."""


class Signer:
    """An Ed25519 private key that signs documents."""

    __slots__ = ("_key", "public")

    public: PublicKey

    def __init__(self, key: Ed25519PrivateKey) -> None:
        self._key = key
        self.public = PublicKey(key.public_key().public_bytes_raw())

    def __repr__(self) -> str:
        return f"Signer({self.public.kid})"

    @classmethod
    def generate(cls) -> Self:
        """A new key from the system's random source."""
        return cls(Ed25519PrivateKey.generate())

    @classmethod
    def from_bytes(cls, pem: bytes) -> Self:
        """The signer of a PKCS#8 PEM file (RFC 5958, RFC 8410), as `openssl genpkey -algorithm ed25519` writes it.

        Raises:
            SigningKeyError: anything else, an encrypted key included.
        """
        try:
            key = load_pem_private_key(pem, password=None)
        except TypeError:
            raise SigningKeyError("the private key is encrypted; tally reads unencrypted PKCS#8 PEM only") from None
        except (ValueError, UnsupportedAlgorithm):
            raise SigningKeyError("not a private key in PKCS#8 PEM") from None
        if not isinstance(key, Ed25519PrivateKey):
            raise SigningKeyError("the private key is not an Ed25519 key")
        return cls(key)

    def to_bytes(self) -> bytes:
        """The private key as unencrypted PKCS#8 PEM."""
        return self._key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())

    def sign(self, typ: jws.Typ, payload: bytes) -> str:
        """The detached JWS over `payload` as a document of kind `typ`."""
        signature = self._key.sign(jws.signing_input(typ, self.public.kid, payload))
        return jws.assemble(typ, self.public.kid, signature)
