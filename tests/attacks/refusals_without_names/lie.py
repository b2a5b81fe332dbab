from __future__ import annotations

from tests.attacks.kit import LINT, Lie, Status, Step, receipt_broken, row_lies
from tests.support.forge import Forgery


def tell(forgery: Forgery) -> None:
    forgery.event(LINT, 1, "workspace.sealed")["refused_total"] = 1


LIE = Lie(
    tell=tell,
    edited=receipt_broken((LINT, 1)),
    resigned=row_lies(Status.DIVERGED, Step.journals, (LINT, 1), says="refused_total does not fit"),
)
