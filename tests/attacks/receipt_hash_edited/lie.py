from __future__ import annotations

from tests.attacks.kit import LINT, Caught, Lie, Status, Step, rows, stale
from tests.support.forge import Forgery, hashed


def tell(forgery: Forgery) -> None:
    forgery.result(LINT, 1)["receipt_hash"] = hashed({})
    forgery.keep("receipt_hash")


SEEN = rows(Status.HASH_MISMATCH, Step.blobs, (LINT, 1))
LIE = Lie(
    tell=tell,
    edited=stale(rows=SEEN),
    resigned=Caught(Status.DIVERGED, rows=SEEN, says="its bytes were changed"),
)
