from __future__ import annotations

from tests.attacks.kit import Caught, Lie, Status, Step
from tests.support.forge import Forgery, jwk_of, thumbprint


def tell(forgery: Forgery) -> None:
    if forgery.form == "resigned":
        forgery.finish_signed()
    forgery.bundle["signer_fingerprint"] = thumbprint(jwk_of(bytes(32)))


FOUND = Caught(Status.BAD_SIGNATURE, (Step.signature,), says="is not the thumbprint of signer_jwk")
LIE = Lie(tell=tell, edited=FOUND, resigned=FOUND)
