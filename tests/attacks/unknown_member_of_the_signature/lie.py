from __future__ import annotations

from tests.attacks.kit import Lie, Step, Unreadable
from tests.support.forge import Forgery


def tell(forgery: Forgery) -> None:
    if forgery.form == "resigned":
        forgery.finish_signed()
    forgery.bundle["signer_jwk"]["use"] = "sig"


REFUSED = Unreadable(Step.schema, "use")
LIE = Lie(tell=tell, edited=REFUSED, resigned=REFUSED)
