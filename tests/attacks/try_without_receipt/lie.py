from __future__ import annotations

from tests.attacks.kit import GEN, Lie, Status, Step, row_lies
from tests.support.forge import Forgery


def tell(forgery: Forgery) -> None:
    del forgery.result(GEN, 1)["tries"][0]["receipt"]
    forgery.keep("receipt_hash")


FOUND = row_lies(Status.MISSING_RECEIPT, Step.blobs, (GEN, 1), says="is not in the file")
LIE = Lie(tell=tell, edited=FOUND, resigned=FOUND)
