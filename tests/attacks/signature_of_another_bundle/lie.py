from __future__ import annotations

from tests.attacks.kit import Caught, Lie, Status, Step
from tests.support.forge import Forgery, Jws


def tell(forgery: Forgery) -> None:
    if forgery.form == "edited":
        forgery.bundle["signature"] = forgery.donor.bundle["signature"]
        return
    old = Jws().token(forgery.bundle["bundle_hash"].encode())
    forgery.finish_signed()
    forgery.bundle["signature"] = old


FOUND = Caught(Status.BAD_SIGNATURE, (Step.signature,), says="was not made by key .* over these bytes")
LIE = Lie(tell=tell, edited=FOUND, resigned=FOUND)
