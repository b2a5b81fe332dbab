from __future__ import annotations

from tests.attacks.kit import Lie, Status, Step, judged, rows, stale
from tests.support.forge import Forgery
from tests.support.judged import CLAMP, HURRIED


def tell(forgery: Forgery) -> None:
    del forgery.grade(CLAMP, HURRIED)["judgement"]
    forgery.recount()


LIE = Lie(
    tell=tell,
    edited=stale(Step.blobs, rows=rows(Status.HASH_MISMATCH, Step.blobs, (CLAMP, HURRIED))),
    resigned=judged(),
    regraded=judged(level="regraded"),
    base="judged",
)
