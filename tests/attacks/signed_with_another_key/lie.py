from __future__ import annotations

from tallystick.trust import base64url
from tests.attacks.kit import Caught, Lie, Status, Step
from tests.support.forge import Forgery, Jws


def tell(forgery: Forgery) -> None:
    old = {name: forgery.bundle[name] for name in ("submitter", "signer_jwk", "signer_fingerprint")}
    honest = base64url.decode(old["signer_jwk"]["x"])
    if forgery.form == "resigned":
        forgery.jws = Jws(public=honest)
    else:
        forgery.bundle["signature"] = Jws(public=honest).token(forgery.bundle["bundle_hash"].encode())


FOUND = Caught(Status.BAD_SIGNATURE, (Step.signature,), says="the signature was not made by key")
LIE = Lie(tell=tell, edited=FOUND, resigned=FOUND)
