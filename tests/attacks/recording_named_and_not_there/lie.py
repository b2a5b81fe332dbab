from __future__ import annotations

from tests.attacks.kit import LINT, Lie, Status, Step, receipt_broken, row_lies
from tests.support.forge import Forgery


def tell(forgery: Forgery) -> None:
    receipt = forgery.receipt(LINT, 2)
    spine = receipt["spine"]
    receipt["spine"] = [*spine[:5], {"digest": spine[0]["digest"], "role": "cassette"}, *spine[5:]]
    forgery.keep("blobs")


LIE = Lie(
    tell=tell,
    edited=receipt_broken((LINT, 2)),
    resigned=row_lies(Status.MISSING_RECEIPT, Step.blobs, (LINT, 2), says="is neither in the file nor listed as withheld"),
)
