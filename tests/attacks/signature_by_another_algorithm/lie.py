from __future__ import annotations

import hmac
from collections.abc import Callable

from tests.attacks.kit import Caught, Lie, Status, Step
from tests.support.forge import LIAR, Forgery, Jws


def hs256(message: bytes) -> bytes:
    """An HMAC with what everybody knows as its key."""
    return hmac.digest(LIAR.public_key().public_bytes_raw(), message, "sha256")


WAYS: dict[str, Callable[[bytes], bytes]] = {
    "none": lambda _: b"",
    "None": lambda _: b"",
    "HS256": hs256,
    "ES256": LIAR.sign,
    "RS256": LIAR.sign,
    "Ed25519": LIAR.sign,
    "eddsa": LIAR.sign,
}


def tell(forgery: Forgery) -> None:
    forgery.jws = Jws(header=lambda honest: honest | {"alg": forgery.variant}, make=WAYS[forgery.variant])


FOUND = Caught(Status.BAD_SIGNATURE, (Step.signature,), says="the signature's header is not the one for tallystick-bundle")
LIE = Lie(tell=tell, edited=FOUND, resigned=FOUND, variants=tuple(WAYS))
