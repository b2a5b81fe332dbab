from __future__ import annotations

from decimal import Decimal

from tests.attacks.kit import REFACTOR, Caught, Lie, Status, Step, rows, stale
from tests.support.forge import Forgery


def tell(forgery: Forgery) -> None:
    forgery.result(REFACTOR, 2)["score"] = Decimal("0.5")


SEEN = rows(Status.FABRICATED_SCORE, Step.verdicts, (REFACTOR, 2))
LIE = Lie(tell=tell, edited=stale(rows=SEEN), resigned=Caught(Status.DIVERGED, rows=SEEN, says="stated .* score 0.5"))
