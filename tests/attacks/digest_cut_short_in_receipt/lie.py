from __future__ import annotations

from tests.attacks.kit import LINT, Lie, Status, Step, receipt_broken, row_lies
from tests.support.forge import Forgery


def tell(forgery: Forgery) -> None:
    receipt = forgery.receipt(LINT, 1)
    match forgery.variant:
        case "head":
            receipt["journal_head"] = receipt["journal_head"][:23]
        case "link":
            receipt["spine"][0]["digest"] = receipt["spine"][0]["digest"][:23]
        case "event":
            forgery.event(LINT, 1, "workspace.sealed")["tree"] = receipt["journal_head"].upper()
    forgery.keep("journal_head")


LIE = Lie(
    tell=tell,
    edited=receipt_broken((LINT, 1)),
    resigned=row_lies(Status.MALFORMED_RECEIPT, Step.blobs, (LINT, 1), says="tallystick/receipt/v1: "),
    variants=("head", "link", "event"),
)
