from __future__ import annotations

from tests.attacks.kit import Lie, Status, Step, row_lies, rows, stale
from tests.support.forge import Forgery
from tests.support.judged import CLAMP, HURRIED


def tell(forgery: Forgery) -> None:
    judgement = forgery.judgement(CLAMP, HURRIED)
    match forgery.variant:
        case "secrets":
            judgement["secrets"] = 0
        case "code":
            del judgement["code"], judgement["tests"]
    forgery.recount()


LIE = Lie(
    tell=tell,
    edited=stale(Step.blobs, rows=rows(Status.HASH_MISMATCH, Step.blobs, (CLAMP, HURRIED))),
    resigned=row_lies(
        Status.FABRICATED_SCORE,
        Step.verdicts,
        (CLAMP, HURRIED),
        says="judgement.* does not follow from the files|the judgement measures no code",
    ),
    variants=("secrets", "code"),
    base="judged",
)
