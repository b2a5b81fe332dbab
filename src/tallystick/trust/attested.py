"""The `attestation` of a VerificationResult: a signature over everything else in it.

What is signed is the digest, by the foreign rule of `core.pyjson`, of the document without its member `attestation`; so the
signer's key, which stands in `extensions.tallystick.signer_jwk`, is signed with it. `signer_id` is the key's thumbprint.
Specification: docs/spec/cohort-documents.md.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tallystick.core.errors import TallyError
from tallystick.core.pyjson import Json, digest
from tallystick.records.bundle import Jwk
from tallystick.records.cohort.reading import EXTENSION, own_members
from tallystick.trust import jws
from tallystick.trust.keys import KeyRefusedError, PublicKey

__all__ = ["ALGORITHM", "VERIFICATION_TYP", "attest", "attestation_problem"]

ALGORITHM: Final = "EdDSA"
VERIFICATION_TYP: Final = jws.Typ("tallystick-verification+jws")

Sign = Callable[[jws.Typ, bytes], str]
"""`Signer.sign` of a private key."""


def attest(result: dict[str, Json], key: PublicKey, sign: Sign) -> dict[str, Json]:
    """The VerificationResult with its attestation by `key`; a former one is replaced.

    Its `extensions.tallystick` is there already, and gets the key.
    """
    extensions = result["extensions"]
    assert isinstance(extensions, dict)
    ours = extensions[EXTENSION]
    assert isinstance(ours, dict)
    jwk: Json = {"crv": key.jwk.crv, "kty": key.jwk.kty, "x": key.jwk.x}
    body = {name: value for name, value in result.items() if name != "attestation"}
    body["extensions"] = {**extensions, EXTENSION: {**ours, "signer_jwk": jwk}}
    signature = sign(VERIFICATION_TYP, digest(body).encode("ascii"))
    return {**body, "attestation": {"signer_id": key.kid, "algorithm": ALGORITHM, "signature": signature}}


def attestation_problem(result: dict[str, Json]) -> str | None:
    """Why the attestation of a VerificationResult does not stand for it, or None. One without an attestation has none."""
    said = result.get("attestation")
    if not isinstance(said, dict):
        return "it has no attestation"
    try:
        key = PublicKey.from_jwk(_jwk(result))
        if said.get("signer_id") != key.kid or said.get("algorithm") != ALGORITHM:
            return (
                f"the attestation names {said.get('signer_id')!r} and {said.get('algorithm')!r}; the key beside it is {key.kid}"
            )
        body = {name: value for name, value in result.items() if name != "attestation"}
        jws.verify(str(said.get("signature")), digest(body).encode("ascii"), VERIFICATION_TYP, key)
    except TallyError as error:
        return str(error)
    return None


def _jwk(result: dict[str, Json]) -> Jwk:
    found = own_members(result).get("signer_jwk")
    x = found.get("x") if isinstance(found, dict) else None
    if not isinstance(x, str):
        raise KeyRefusedError("extensions.tallystick.signer_jwk holds no public key")
    return Jwk(crv="Ed25519", kty="OKP", x=x)
