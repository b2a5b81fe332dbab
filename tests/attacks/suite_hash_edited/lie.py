from __future__ import annotations

from tests.attacks.kit import ALL, Caught, Lie, Status, Step, rows, stale
from tests.support.forge import Forgery, hashed


def tell(forgery: Forgery) -> None:
    old, new = forgery.bundle["suite_hash"], hashed({})
    forgery.bundle["suite_hash"] = new
    if forgery.form == "resigned":
        forgery.rename(old, new)


SAYS = "the bundle is about suite "
LIE = Lie(
    tell=tell,
    edited=stale(Step.suite, rows=rows(Status.DIVERGED, Step.spines, *ALL), says=SAYS),
    resigned=Caught(Status.HASH_MISMATCH, (Step.suite,), says=SAYS),
)
