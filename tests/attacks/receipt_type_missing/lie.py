from __future__ import annotations

from tests.attacks.kit import LINT, Lie, Status, Step, receipt_broken, row_lies
from tests.support.forge import Forgery


def tell(forgery: Forgery) -> None:
    del forgery.receipt(LINT, 1)["_type"]


LIE = Lie(
    tell=tell,
    edited=receipt_broken((LINT, 1)),
    resigned=row_lies(Status.MALFORMED_RECEIPT, Step.blobs, (LINT, 1), says="_type is missing"),
)
