from __future__ import annotations

from tests.attacks.kit import GEN, REFACTOR, Lie, Status, Step, Unreadable, receipt_broken, row_lies
from tests.support.forge import Forgery, Twin


def tell(forgery: Forgery) -> None:
    forgery.receipt(REFACTOR, 2)[Twin("task_id")] = GEN


REFUSED = Unreadable(Step.canonical, "not canonical")
LIE = Lie(
    tell=tell,
    edited=REFUSED,
    resigned=REFUSED,
    tally={
        "edited": receipt_broken((REFACTOR, 2)),
        "resigned": row_lies(Status.MALFORMED_RECEIPT, Step.blobs, (REFACTOR, 2), says="not canonical"),
    },
)
