from __future__ import annotations

from tests.attacks.kit import Caught, Lie, Status, Step, stale
from tests.support.forge import Forgery, hashed


def tell(forgery: Forgery) -> None:
    forgery.bundle["withheld"] = {
        "here": [hashed(forgery.bundle["agent"])],
        "unnamed": [hashed({})],
        "unsorted": [hashed({}), hashed({})],
    }[forgery.variant]


SAYS = "is listed as withheld and is in the file|no receipt names it|withheld is not sorted"
LIE = Lie(
    tell=tell,
    edited=stale(Step.blobs, says=SAYS),
    resigned=Caught(Status.HASH_MISMATCH, (Step.blobs,), says=SAYS),
    variants=("here", "unnamed", "unsorted"),
)
