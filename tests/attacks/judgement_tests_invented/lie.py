from __future__ import annotations

from tests.attacks.kit import Lie, Status, Step, judged, row_lies, rows, stale
from tests.support.forge import Forgery
from tests.support.judged import CLAMP, HURRIED


def tell(forgery: Forgery) -> None:
    forgery.judgement(CLAMP, HURRIED)["tests"] = {
        "added": 8,
        "removed": 0,
        "passing": True,
        "mutants": 8,
        "killed": 8,
    }
    forgery.recount()


LIE = Lie(
    tell=tell,
    edited=stale(Step.blobs, rows=rows(Status.HASH_MISMATCH, Step.blobs, (CLAMP, HURRIED))),
    resigned=judged(),
    regraded=row_lies(Status.FABRICATED_SCORE, Step.regrade, (CLAMP, HURRIED), says="the judge measures something else"),
    base="judged",
)
