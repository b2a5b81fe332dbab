from __future__ import annotations

from tests.attacks.kit import REFACTOR, Caught, Lie, Status, Step, rows, stale
from tests.support.forge import Forgery, copied


def tell(forgery: Forgery) -> None:
    good, bad = forgery.result(REFACTOR, 1), forgery.result(REFACTOR, 2)
    bad["receipt"], bad["receipt_hash"] = copied(good["receipt"]), good["receipt_hash"]
    forgery.state(REFACTOR, 2, passed=True)


SEEN = rows(Status.DIVERGED, Step.blobs, (REFACTOR, 2))
SAYS = "the receipt is that of refactor_rename_symbol attempt 1 of 2"
LIE = Lie(tell=tell, edited=stale(rows=SEEN, says=SAYS), resigned=Caught(Status.DIVERGED, rows=SEEN, says=SAYS))
