from __future__ import annotations

from tests.attacks.kit import Lie, Status, Step, row_lies, rows, stale
from tests.support.forge import Forgery
from tests.support.recorded import ATTEMPTS, WRITE


def tell(forgery: Forgery) -> None:
    forgery.bundle["config"]["recording"] = "none"
    for task, index in ATTEMPTS:
        receipt = forgery.receipt(task, index)
        receipt["spine"] = [link for link in receipt["spine"] if link["role"] != "cassette"]
    forgery.result(WRITE, 1)["observed"]["calls"] = 1
    forgery.recount()


LIE = Lie(
    tell=tell,
    edited=stale(rows=rows(Status.HASH_MISMATCH, Step.blobs, *ATTEMPTS)),
    resigned=row_lies(Status.FABRICATED_SCORE, Step.scores, (WRITE, 1), says="observed: the journal has 3 calls to models"),
    base="recorded",
)
