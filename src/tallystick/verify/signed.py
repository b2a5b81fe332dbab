"""What a signed document shows of its signer: one key in four places, and a signature by it. Bundles and receipts share it."""

from __future__ import annotations

from typing import Protocol

from tallystick.core.digest import Digest
from tallystick.records.base import UNSET, UnsetType
from tallystick.records.bundle import Jwk, Submitter
from tallystick.trust import jws
from tallystick.trust.jws import SignatureError, Typ
from tallystick.trust.keys import KeyRefusedError, PublicKey, thumbprint

__all__ = ["Signed", "is_unsigned", "key_problem", "signature_problem"]


class Signed(Protocol):
    """A document with a submitter and a detached signature."""

    @property
    def submitter(self) -> Submitter | UnsetType:
        """Who claims it."""
        ...

    @property
    def signature(self) -> str | UnsetType:
        """A detached JWS."""
        ...

    @property
    def signer_fingerprint(self) -> str | UnsetType:
        """The thumbprint of the key."""
        ...

    @property
    def signer_jwk(self) -> Jwk | UnsetType:
        """The key."""
        ...


def is_unsigned(document: Signed) -> bool:
    """Whether none of the members of a signature is there."""
    return all(part is UNSET for part in (document.signature, document.signer_fingerprint, document.signer_jwk))


def key_problem(document: Signed) -> str | None:
    """Why the key is not admitted, or None (also where there is none)."""
    if document.signer_jwk is UNSET:
        return None
    try:
        PublicKey.from_jwk(document.signer_jwk)
    except KeyRefusedError as error:
        return str(error)
    return None


def signature_problem(document: Signed, payload: Digest, typ: Typ, kind: str) -> str | None:
    """Why the signature over the ASCII bytes of `payload` is not the submitter's, or None. `kind` is the document's word."""
    if document.signature is UNSET or document.signer_fingerprint is UNSET or document.signer_jwk is UNSET:
        return "signature, signer_fingerprint and signer_jwk stand together or not at all"
    if document.submitter is UNSET:
        return f"a signed {kind} names its submitter"
    kid = thumbprint(document.signer_jwk)
    if document.signer_fingerprint != kid:
        return f"signer_fingerprint {document.signer_fingerprint} is not the thumbprint of signer_jwk ({kid})"
    if document.submitter.kid != kid:
        return f"the submitter is {document.submitter.kid}, the signer {kid}"
    try:
        jws.verify(document.signature, payload.encode("ascii"), typ, PublicKey.from_jwk(document.signer_jwk))
    except (SignatureError, KeyRefusedError) as error:
        return str(error)
    return None
