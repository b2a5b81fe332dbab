from __future__ import annotations

from tests.attacks.kit import REFACTOR, Lie, Status, Step, row_lies
from tests.support.forge import Forgery


def tell(forgery: Forgery) -> None:
    del forgery.blobs[forgery.result(REFACTOR, 2)["observed"]["outputs"][0][1]]


FOUND = row_lies(Status.MISSING_RECEIPT, Step.blobs, (REFACTOR, 2), says="is neither in the file nor listed as withheld")
LIE = Lie(tell=tell, edited=FOUND, resigned=FOUND)
