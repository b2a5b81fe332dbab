from __future__ import annotations

from tests.attacks.kit import Caught, Lie, Status, Step
from tests.support.forge import Forgery, Jws, jwk_of

POINTS = {
    "identity": "0100000000000000000000000000000000000000000000000000000000000000",
    "order_two": "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "order_four": "0000000000000000000000000000000000000000000000000000000000000000",
    "order_eight": "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    "not_canonical": "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "not_on_the_curve": "0200000000000000000000000000000000000000000000000000000000000000",
}
EVERYTHING = bytes.fromhex(POINTS["identity"]) + bytes(32)
"""R is the identity and S is zero: with the identity as key this holds over any message (RFC 8032 section 5.1.7)."""


def tell(forgery: Forgery) -> None:
    public = bytes.fromhex(POINTS[forgery.variant])
    if forgery.form == "resigned":
        forgery.jws = Jws(public=public, make=lambda _: EVERYTHING)
    else:
        forgery.bundle["signer_jwk"] = jwk_of(public)


LIE = Lie(
    tell=tell,
    edited=Caught(Status.BAD_SIGNATURE, (Step.key, Step.signature)),
    resigned=Caught(Status.BAD_SIGNATURE, (Step.key, Step.signature), says="step 5"),
    variants=tuple(POINTS),
)
