from __future__ import annotations

from tests.attacks.kit import Lie, Status, Step, row_lies, rows
from tests.support.forge import Forgery
from tests.support.judged import CLAMP, HURRIED


def tell(forgery: Forgery) -> None:
    del forgery.blobs[forgery.grade(CLAMP, HURRIED)["judgement"]]


SEEN = rows(Status.MISSING_RECEIPT, Step.blobs, (CLAMP, HURRIED))
LIE = Lie(
    tell=tell,
    edited=row_lies(Status.MISSING_RECEIPT, Step.blobs, (CLAMP, HURRIED), says="neither in the file nor listed"),
    resigned=row_lies(Status.MISSING_RECEIPT, Step.blobs, (CLAMP, HURRIED), says="neither in the file nor listed"),
    base="judged",
)
