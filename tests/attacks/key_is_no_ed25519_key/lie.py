from __future__ import annotations

from tests.attacks.kit import Lie, Step, Unreadable
from tests.support.forge import Forgery

KEYS = {
    "rsa": {"e": "AQAB", "kty": "RSA", "n": "AQAB"},
    "p256": {"crv": "P-256", "kty": "EC", "x": "A" * 43, "y": "A" * 43},
    "x25519": {"crv": "X25519", "kty": "OKP", "x": "A" * 43},
    "oct": {"k": "AQAB", "kty": "oct"},
    "alg": {"alg": "HS256", "crv": "Ed25519", "kty": "OKP", "x": "A" * 43},
    "private": {"crv": "Ed25519", "d": "A" * 43, "kty": "OKP", "x": "A" * 43},
    "short": {"crv": "Ed25519", "kty": "OKP", "x": "AAAA"},
}


def tell(forgery: Forgery) -> None:
    forgery.bundle["signer_jwk"] = KEYS[forgery.variant]
    forgery.keep_signature()


REFUSED = Unreadable(Step.schema, "signer_jwk")
LIE = Lie(tell=tell, edited=REFUSED, resigned=REFUSED, variants=tuple(KEYS))
