from __future__ import annotations

from tests.attacks.kit import Lie, Status, Step, row_lies, rows, stale
from tests.support.forge import Forgery
from tests.support.judged import CLAMP, HURRIED


def tell(forgery: Forgery) -> None:
    forgery.grade(CLAMP, HURRIED)["judgement"] = forgery.grade(CLAMP, 1)["judgement"]
    forgery.recount()


LIE = Lie(
    tell=tell,
    edited=stale(Step.blobs, rows=rows(Status.HASH_MISMATCH, Step.blobs, (CLAMP, HURRIED))),
    resigned=row_lies(Status.FABRICATED_SCORE, Step.verdicts, (CLAMP, HURRIED), says="another task or workspace"),
    base="judged",
)
