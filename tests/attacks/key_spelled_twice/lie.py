from __future__ import annotations

from tests.attacks.kit import Caught, Lie, Status, Step
from tests.support.forge import Forgery, thumbprint


def tell(forgery: Forgery) -> None:
    jwk = forgery.bundle["signer_jwk"]
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    jwk["x"] = jwk["x"][:-1] + alphabet[alphabet.index(jwk["x"][-1]) + 1]
    if forgery.form == "resigned":
        forgery.bundle["signer_fingerprint"] = thumbprint(jwk)
        forgery.bundle["submitter"] = {"kid": thumbprint(jwk)}
        forgery.keep_signature()


LIE = Lie(
    tell=tell,
    edited=Caught(Status.BAD_SIGNATURE, (Step.key, Step.signature), says="not the one base64url spelling"),
    resigned=Caught(Status.BAD_SIGNATURE, (Step.key, Step.signature), says="not the one base64url spelling"),
)
