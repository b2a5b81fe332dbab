from __future__ import annotations

from tests.attacks.kit import LINT, Lie, Status, Step, receipt_broken, row_lies
from tests.support.forge import Forgery


def tell(forgery: Forgery) -> None:
    receipt = forgery.receipt(LINT, 1)
    place = {"receipt": receipt, "event": receipt["events"][0], "link": receipt["spine"][0]}[forgery.variant]
    place["verified"] = True


LIE = Lie(
    tell=tell,
    edited=receipt_broken((LINT, 1)),
    resigned=row_lies(Status.MALFORMED_RECEIPT, Step.blobs, (LINT, 1), says="verified"),
    variants=("receipt", "event", "link"),
)
