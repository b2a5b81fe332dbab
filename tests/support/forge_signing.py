"""Signatures for forgers: a valid key, and every way to write a detached JWS that a reader might fall for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tallystick.trust import base64url, jws
from tests.support.forge_json import hashed, parse, to_bytes

__all__ = ["LIAR", "Jws", "jwk_of", "thumbprint"]

LIAR: Final = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
"""The dishonest submitter's key: as valid as anybody's."""


def jwk_of(raw: bytes) -> dict[str, Any]:
    """A public key as RFC 8037 JWK."""
    return {"crv": "Ed25519", "kty": "OKP", "x": base64url.encode(raw)}


def thumbprint(jwk: Mapping[str, Any]) -> str:
    """RFC 7638, for whatever stands in the three members."""
    return base64url.encode(bytes.fromhex(hashed({name: jwk[name] for name in ("crv", "kty", "x")})[7:]))


def _same(header: dict[Any, Any]) -> Any:
    return header


def _header_bytes(header: Any) -> bytes:
    return header if isinstance(header, bytes) else to_bytes(header)


@dataclass(frozen=True)
class Jws:
    """How a liar signs: the key that he shows, the header that he writes, and what he puts where a signature belongs."""

    public: bytes = LIAR.public_key().public_bytes_raw()
    header: Callable[[dict[Any, Any]], Any] = _same
    make: Callable[[bytes], bytes] = LIAR.sign
    spell: Callable[[str, str], str] = "{}..{}".format

    def token(self, payload: bytes) -> str:
        honest = {"alg": "EdDSA", "kid": thumbprint(jwk_of(self.public)), "typ": jws.BUNDLE_TYP}
        head = base64url.encode(_header_bytes(self.header(honest)))
        signature = self.make(f"{head}.{base64url.encode(payload)}".encode())
        return self.spell(head, base64url.encode(signature))

    def rehead(self, token: str) -> str:
        """Another header or spelling over an old signature."""
        head, _, signature = token.partition("..")
        return self.spell(base64url.encode(_header_bytes(self.header(parse(base64url.decode(head))))), signature)
