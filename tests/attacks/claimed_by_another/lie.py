from __future__ import annotations

from tests.attacks.kit import Lie, Stands, Step, stale
from tests.support.forge import LIAR, Forgery, jwk_of, thumbprint


def tell(forgery: Forgery) -> None:
    if forgery.form == "edited":
        forgery.bundle["submitter"] = {"kid": thumbprint(jwk_of(LIAR.public_key().public_bytes_raw()))}
    else:
        forgery.bundle["submitted_at"] += 1


LIE = Lie(
    tell=tell,
    edited=stale(Step.signature, says="the submitter is .*, the signer "),
    resigned=Stands(passed=6),
)
