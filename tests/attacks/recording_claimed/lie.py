from __future__ import annotations

from tests.attacks.kit import Lie, Status, Step, receipt_broken, row_lies
from tests.support.forge import Forgery
from tests.support.recorded import WRITE


def tell(forgery: Forgery) -> None:
    receipt = forgery.receipt(WRITE, 1)
    receipt["spine"] = [link for link in receipt["spine"] if link["role"] != "cassette"]


LIE = Lie(
    tell=tell,
    edited=receipt_broken((WRITE, 1)),
    resigned=row_lies(Status.DIVERGED, Step.spines, (WRITE, 1), says="the run was recorded, but the spine names no cassette"),
    base="recorded",
)
