from __future__ import annotations

from tests.attacks.kit import Lie, Status, Step, row_lies, stale
from tests.support.forge import Forgery
from tests.support.judged import CLAMP, HURRIED


def tell(forgery: Forgery) -> None:
    forgery.result(CLAMP, HURRIED)["opinion"] = dict(forgery.result(CLAMP, 1)["opinion"])


FOUND = row_lies(Status.FABRICATED_SCORE, Step.verdicts, (CLAMP, HURRIED), says="does not ask about these files")
LIE = Lie(tell=tell, edited=stale(Step.blobs, rows=FOUND.rows), resigned=FOUND, base="judged")
