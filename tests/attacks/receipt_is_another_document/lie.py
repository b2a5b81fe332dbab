from __future__ import annotations

from tests.attacks.kit import LINT, Lie, Status, Step, receipt_broken, row_lies
from tests.support.forge import Forgery, copied, hashed

OTHERS = {
    "grade": lambda forgery: forgery.grade(LINT, 1),
    "tree": lambda forgery: forgery.workspace(LINT, 1),
    "agent": lambda forgery: forgery.bundle["agent"],
    "newer": lambda forgery: forgery.receipt(LINT, 1) | {"_type": "tallystick/receipt/v2"},
    "list": lambda forgery: [forgery.receipt(LINT, 1)],
}


def tell(forgery: Forgery) -> None:
    result = forgery.result(LINT, 1)
    result["receipt"] = copied(OTHERS[forgery.variant](forgery))
    if forgery.form == "resigned":
        result["receipt_hash"] = hashed(result["receipt"])


LIE = Lie(
    tell=tell,
    edited=receipt_broken((LINT, 1)),
    resigned=row_lies(Status.MALFORMED_RECEIPT, Step.blobs, (LINT, 1), says="expected |made by a newer tally"),
    variants=tuple(OTHERS),
)
