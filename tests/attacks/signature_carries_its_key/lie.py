from __future__ import annotations

from typing import Any

from tests.attacks.kit import Caught, Lie, Status, Step
from tests.support.forge import LIAR, Forgery, Jws, jwk_of

MEMBERS: dict[str, Any] = {
    "jwk": {"jwk": jwk_of(LIAR.public_key().public_bytes_raw())},
    "jku": {"jku": "https://keys.example/jwks.json"},
    "x5c": {"x5c": ["MIIB"]},
    "x5u": {"x5u": "https://keys.example/chain.pem"},
    "crit": {"crit": ["exp"], "exp": 1},
    "b64": {"b64": False, "crit": ["b64"]},
    "cty": {"cty": "application/json"},
}


def tell(forgery: Forgery) -> None:
    forgery.jws = Jws(header=lambda honest: honest | MEMBERS[forgery.variant])


FOUND = Caught(Status.BAD_SIGNATURE, (Step.signature,), says="the signature's header is not the one for tallystick-bundle")
LIE = Lie(tell=tell, edited=FOUND, resigned=FOUND, variants=tuple(MEMBERS))
