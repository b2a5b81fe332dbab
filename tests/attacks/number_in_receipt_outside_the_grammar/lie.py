from __future__ import annotations

from tests.attacks.kit import LINT, Lie, Status, Step, Unreadable, receipt_broken, row_lies
from tests.support.forge import Forgery, Raw

NUMBERS = {"nan": "NaN", "minus_zero": "-0", "point_zero": "1.0", "overflow": "1e400", "beyond_2_53": "9007199254740993"}


def tell(forgery: Forgery) -> None:
    forgery.event(LINT, 1, "agent.end")["exit"] = Raw(NUMBERS[forgery.variant])


REFUSED = Unreadable(Step.canonical, "")
LIE = Lie(
    tell=tell,
    edited=REFUSED,
    resigned=REFUSED,
    tally={
        "edited": receipt_broken((LINT, 1)),
        "resigned": row_lies(Status.MALFORMED_RECEIPT, Step.blobs, (LINT, 1), says="not JSON|not canonical|number|integer"),
    },
    variants=tuple(NUMBERS),
)
