from __future__ import annotations

from tests.attacks.kit import Caught, Lie, Status, Step, rows, stale
from tests.support.forge import Forgery, copied
from tests.support.recorded import WRITE


def tell(forgery: Forgery) -> None:
    better, worse = forgery.result(WRITE, 1), forgery.result(WRITE, 2)
    receipt = copied(better["receipt"]) | {"attempt": worse["attempt"]}
    worse.update({name: value for name, value in copied(better).items() if name not in {"attempt", "receipt_hash"}})
    worse["receipt"] = receipt
    forgery.recount()


LIE = Lie(
    tell=tell,
    edited=stale(rows=rows(Status.HASH_MISMATCH, Step.blobs, (WRITE, 2))),
    resigned=Caught(
        Status.REUSED_ANSWERS, rows=rows(Status.REUSED_ANSWERS, Step.journals, (WRITE, 2)), says="one recording counts once"
    ),
    base="recorded",
)
