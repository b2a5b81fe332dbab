from __future__ import annotations

from tests.attacks.kit import REFACTOR, Lie, Step, Unreadable
from tests.support.forge import Forgery


def tell(forgery: Forgery) -> None:
    forgery.result(REFACTOR, 2)["receipt_hash"] = forgery.result(REFACTOR, 1)["receipt_hash"]
    forgery.keep("receipt_hash")


REFUSED = Unreadable(Step.container, "two different receipts stand under the receipt_hash")
LIE = Lie(tell=tell, edited=REFUSED, resigned=REFUSED, containers=("json",))
