from __future__ import annotations

from tests.attacks.kit import REFACTOR, Lie, Stands, Status, Step, rows, stale
from tests.support.forge import Forgery, copied


def tell(forgery: Forgery) -> None:
    receipt = copied(forgery.receipt(REFACTOR, 1))
    receipt["attempt"]["index"] = 2
    forgery.result(REFACTOR, 2)["receipt"] = receipt
    forgery.state(REFACTOR, 2, passed=True)
    forgery.recount()


LIE = Lie(
    tell=tell,
    edited=stale(rows=rows(Status.HASH_MISMATCH, Step.blobs, (REFACTOR, 2))),
    resigned=Stands(passed=7, references=8),
    regraded=Stands(passed=7, level="regraded"),
)
