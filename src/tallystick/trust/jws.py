"""Detached JWS signatures (RFC 7515 appendix F, EdDSA of RFC 8037): `BASE64URL(header)..BASE64URL(signature)`.

The protected header is exactly the C1 bytes of `{"alg":"EdDSA","kid":<thumbprint>,"typ":<kind of document>}`. The verifier
never parses a header: it builds the one it expects from the key it was given and compares bytes. So another algorithm, `none`,
`crit`, `jwk`, `jku`, `x5c`, a member twice and any second spelling are all the same thing: not the expected header.
"""

from __future__ import annotations

from typing import Final, NewType

from tallystick.core import c1
from tallystick.trust import base64url
from tallystick.trust.base64url import Base64Error
from tallystick.trust.keys import PublicKey, SignatureError

__all__ = [
    "BUNDLE_TYP",
    "COHORT_ENTRY_TYP",
    "COHORT_REVIEW_TYP",
    "RELIABILITY_TYP",
    "SignatureError",
    "Typ",
    "assemble",
    "signing_input",
    "verify",
]

Typ = NewType("Typ", str)
"""The kind of document a signature is for, so that a signature over one kind never serves for another."""

BUNDLE_TYP: Final = Typ("tallystick-bundle+jws")
RELIABILITY_TYP: Final = Typ("tallystick-reliability+jws")
COHORT_ENTRY_TYP: Final = Typ("tallystick-cohort-entry+jws")
COHORT_REVIEW_TYP: Final = Typ("tallystick-cohort-review+jws")


def _header(typ: Typ, kid: str) -> str:
    return base64url.encode(c1.dumps({"alg": "EdDSA", "kid": kid, "typ": typ}))


def signing_input(typ: Typ, kid: str, payload: bytes) -> bytes:
    """The bytes that are signed: `BASE64URL(header).BASE64URL(payload)` (RFC 7515 section 5.1)."""
    return f"{_header(typ, kid)}.{base64url.encode(payload)}".encode("ascii")


def assemble(typ: Typ, kid: str, signature: bytes) -> str:
    """The detached JWS of a raw 64-byte signature over `signing_input`."""
    return f"{_header(typ, kid)}..{base64url.encode(signature)}"


def verify(jws: str, payload: bytes, typ: Typ, key: PublicKey) -> None:
    """Check that `jws` is the signature of `key` over `payload` as a document of kind `typ`.

    Args:
        jws: detached compact serialisation.
        payload: what was signed; for a bundle the ASCII bytes of its `bundle_hash`.
        typ: the kind of document the caller is reading.
        key: an admitted key, from the caller and not from the signature.

    Raises:
        SignatureError: it is not.
    """
    expected, found = _header(typ, key.kid), jws.partition(".")[0]
    if found != expected:
        raise SignatureError(f"the signature's header is not the one for {typ} by key {key.kid}: {found[:60]!r}")
    key.verify(_signature(jws[len(expected) :]), signing_input(typ, key.kid, payload))


def _signature(rest: str) -> bytes:
    """The raw signature of what follows the header: two dots (the payload is detached) and base64url."""
    if not rest.startswith(".."):
        raise SignatureError("the signature is not a detached JWS: expected header..signature with nothing between the dots")
    try:
        return base64url.decode(rest[2:])
    except Base64Error as error:
        raise SignatureError(f"the signature's last part is {error}") from None
