from __future__ import annotations

from tests.attacks.kit import Caught, Lie, Status, Step
from tests.support.forge import Forgery


def tell(forgery: Forgery) -> None:
    if forgery.form == "resigned":
        forgery.finish_signed()
    del forgery.bundle[forgery.variant]


FOUND = Caught(Status.BAD_SIGNATURE, (Step.signature,), says="stand together or not at all")
LIE = Lie(tell=tell, edited=FOUND, resigned=FOUND, variants=("signature", "signer_fingerprint", "signer_jwk"))
