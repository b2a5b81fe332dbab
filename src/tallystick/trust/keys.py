"""Public keys: Ed25519 in RFC 8037 JWK form, named by their RFC 7638 thumbprint.

The thumbprint is the key's only name (`kid`, `signer_fingerprint`), so a name cannot be claimed for another key.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from tallystick.core import c1, digest, limits
from tallystick.core.errors import TallyError
from tallystick.records.bundle import Jwk
from tallystick.trust import base64url, ed25519
from tallystick.trust.base64url import Base64Error
from tallystick.trust.ed25519 import KeyRefusedError

__all__ = ["SIGNATURE_BYTES", "KeyRefusedError", "PublicKey", "SignatureError", "read_jwk", "thumbprint"]

SIGNATURE_BYTES: Final = 64


class SignatureError(TallyError):
    """A signature that does not stand for this payload, this kind of document and this key."""


def thumbprint(jwk: Jwk) -> str:
    """RFC 7638 thumbprint with SHA-256: base64url, 43 characters.

    Section 3 hashes the required members (RFC 8037 section 2: crv, kty, x) in the order of their names, without white space;
    for these three, ASCII values throughout, that is their C1 form.
    """
    return base64url.encode(digest.raw(digest.sha256(c1.dumps({"crv": jwk.crv, "kty": jwk.kty, "x": jwk.x}))))


@dataclass(frozen=True, slots=True)
class PublicKey:
    """An admitted public key: one that exists has passed `ed25519.admit`.

    Raises:
        KeyRefusedError: on construction, for 32 bytes that are no acceptable key.
    """

    raw: bytes
    kid: str = field(init=False, compare=False)

    def __post_init__(self) -> None:
        ed25519.admit(self.raw)
        object.__setattr__(self, "kid", thumbprint(self.jwk))

    @classmethod
    def from_jwk(cls, jwk: Jwk) -> PublicKey:
        """The key of a JWK.

        Raises:
            KeyRefusedError: `x` is not the one base64url spelling of 32 bytes, or the key is not admitted.
        """
        try:
            raw = base64url.decode(jwk.x)
        except Base64Error as error:
            raise KeyRefusedError(f"the member x of the public key is {error}") from None
        return cls(raw)

    @property
    def jwk(self) -> Jwk:
        """The key as RFC 8037 JWK."""
        return Jwk(crv="Ed25519", kty="OKP", x=base64url.encode(self.raw))

    def jwk_tree(self) -> dict[str, c1.Tree]:
        """The key as a JWK file has it: with its thumbprint as `kid`."""
        return {"crv": "Ed25519", "kid": self.kid, "kty": "OKP", "x": self.jwk.x}

    def verify(self, signature: bytes, message: bytes) -> None:
        """Check a raw signature (RFC 8032 section 5.1.7, pure Ed25519; S must be below the group's order).

        Raises:
            SignatureError: this key did not make it over `message`.
        """
        if len(signature) != SIGNATURE_BYTES:
            raise SignatureError(f"an Ed25519 signature has {SIGNATURE_BYTES} bytes; this one has {len(signature)}")
        try:
            Ed25519PublicKey.from_public_bytes(self.raw).verify(signature, message)
        except InvalidSignature:
            raise SignatureError(f"the signature was not made by key {self.kid} over these bytes") from None


def read_jwk(data: bytes) -> PublicKey:
    """The key of a JWK file that anybody may have written: other members are ignored (RFC 7517 section 4).

    Raises:
        C1Error: not JSON, over `limits.KEY_BYTES`, or with names or values that C1 does not know.
        KeyRefusedError: not a public Ed25519 key, not admitted, or with a `kid` that is not its thumbprint.
    """
    tree = c1.decode(data, limits.KEY_BYTES)
    if not isinstance(tree, dict) or tree.get("kty") != "OKP" or tree.get("crv") != "Ed25519":
        raise KeyRefusedError('not an Ed25519 JWK: expected {"crv":"Ed25519","kty":"OKP","x":...}')
    if "d" in tree:
        raise KeyRefusedError("this JWK holds a private key (member d): keep it secret and pass on the public part only")
    x = tree.get("x")
    if not isinstance(x, str):
        raise KeyRefusedError("the JWK has no member x with the public key")
    key = PublicKey.from_jwk(Jwk(crv="Ed25519", kty="OKP", x=x))
    if tree.get("kid", key.kid) != key.kid:
        raise KeyRefusedError(f"the JWK calls itself {tree['kid']!r}, but its key's thumbprint is {key.kid}")
    return key
