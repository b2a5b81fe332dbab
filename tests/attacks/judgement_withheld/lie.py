from __future__ import annotations

from tests.attacks.kit import Caught, Lie, Status, Step, rows, stale
from tests.support.forge import Forgery
from tests.support.judged import CLAMP, HURRIED


def tell(forgery: Forgery) -> None:
    gone = forgery.grade(CLAMP, HURRIED)["judgement"]
    del forgery.blobs[gone]
    forgery.bundle["withheld"] = [gone]


SEEN = rows(Status.WITHHELD, Step.verdicts, (CLAMP, HURRIED))
LIE = Lie(
    tell=tell,
    edited=stale(rows=SEEN),
    resigned=Caught(Status.WITHHELD, rows=SEEN, says="so no verdict follows", level="intact"),
    base="judged",
)
