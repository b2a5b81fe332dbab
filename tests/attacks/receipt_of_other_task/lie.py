from __future__ import annotations

from tests.attacks.kit import GEN, REFACTOR, Lie, Status, Step, receipt_broken, row_lies
from tests.support.forge import Forgery, copied


def tell(forgery: Forgery) -> None:
    forgery.result(REFACTOR, 2)["receipt"] = copied(forgery.receipt(GEN, 2))


LIE = Lie(
    tell=tell,
    edited=receipt_broken((REFACTOR, 2)),
    resigned=row_lies(Status.DIVERGED, Step.blobs, (REFACTOR, 2), says="the receipt is that of test_generation_happy_path"),
)
