from __future__ import annotations

from tests.attacks.kit import Caught, Lie, Status, Step
from tests.support.forge import Forgery


def tell(forgery: Forgery) -> None:
    forgery.jws = None
    if forgery.form == "edited":
        for member in ("signature", "signer_fingerprint", "signer_jwk"):
            del forgery.bundle[member]


FOUND = Caught(Status.UNSIGNED, (Step.signature,), says="the bundle carries no signature")
LIE = Lie(tell=tell, edited=FOUND, resigned=FOUND)
