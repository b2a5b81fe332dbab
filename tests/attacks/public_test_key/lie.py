from __future__ import annotations

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests.attacks.kit import Caught, Lie, Status, Step
from tests.support.forge import Forgery, Jws

KEYS = {
    "rfc8037": "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
    "rfc8032_test_2": "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
    "zeros": "00" * 32,
}


def tell(forgery: Forgery) -> None:
    key = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(KEYS[forgery.variant]))
    made = Jws(public=key.public_key().public_bytes_raw(), make=key.sign)
    if forgery.form == "resigned":
        forgery.jws = made
    else:
        forgery.bundle["signature"] = made.token(forgery.bundle["bundle_hash"].encode())


LIE = Lie(
    tell=tell,
    edited=Caught(Status.BAD_SIGNATURE, (Step.signature,), says="header is not the one"),
    resigned=Caught(Status.UNTRUSTED_SIGNER, (Step.signature,), says="is not one this reader trusts"),
    variants=tuple(KEYS),
    trusted_only=True,
)
