from __future__ import annotations

from tests.attacks.kit import Caught, Lie, Status, Step
from tests.support.forge import Forgery


def tell(forgery: Forgery) -> None:
    forgery.keep("submitter")
    if forgery.form == "edited":
        forgery.sign()
    else:
        forgery.bundle["submitted_at"] += 1


FOUND = Caught(Status.BAD_SIGNATURE, (Step.signature,), says="the submitter is .*, the signer ")
LIE = Lie(tell=tell, edited=FOUND, resigned=FOUND)
