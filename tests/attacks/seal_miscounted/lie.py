from __future__ import annotations

from tests.attacks.kit import REFACTOR, Lie, Status, Step, receipt_broken, row_lies
from tests.support.forge import Forgery


def tell(forgery: Forgery) -> None:
    forgery.event(REFACTOR, 2, "workspace.sealed")["modified"] -= 1


LIE = Lie(
    tell=tell,
    edited=receipt_broken((REFACTOR, 2)),
    resigned=row_lies(Status.DIVERGED, Step.verdicts, (REFACTOR, 2), says="counts other changes than the trees show"),
)
