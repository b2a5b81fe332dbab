from __future__ import annotations

from tests.attacks.kit import Caught, Lie, Status, Step, row_lies, rows
from tests.support.forge import Forgery
from tests.support.judged import CLAMP, HURRIED


def tell(forgery: Forgery) -> None:
    judgement = forgery.judgement(CLAMP, HURRIED)
    if forgery.variant == "size":
        judgement["size"]["added"] = 1
    else:
        judgement["ratio"] = 1


LIE = Lie(
    tell=tell,
    edited=Caught(
        Status.DIVERGED,
        (Step.blobs,),
        rows(Status.HASH_MISMATCH, Step.blobs, (CLAMP, HURRIED)),
        says="its bytes were changed",
    ),
    resigned=row_lies(
        Status.FABRICATED_SCORE, Step.verdicts, (CLAMP, HURRIED), says="judgement.* does not follow from the files"
    ),
    variants=("size", "ratio"),
    base="judged",
)
