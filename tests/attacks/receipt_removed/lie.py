from __future__ import annotations

from tests.attacks.kit import LINT, Lie, Status, Step, row_lies
from tests.support.forge import Forgery


def tell(forgery: Forgery) -> None:
    del forgery.result(LINT, 1)["receipt"]


FOUND = row_lies(Status.MISSING_RECEIPT, Step.blobs, (LINT, 1), says="is not in the file")
LIE = Lie(tell=tell, edited=FOUND, resigned=FOUND)
