from __future__ import annotations

from tests.attacks.kit import REFACTOR, Caught, Lie, Status, Step, rows, stale
from tests.support.forge import Forgery


def tell(forgery: Forgery) -> None:
    forgery.state(REFACTOR, 2, passed=True)
    forgery.recount()


SEEN = rows(Status.FABRICATED_SCORE, Step.verdicts, (REFACTOR, 2))
LIE = Lie(
    tell=tell,
    edited=stale(Step.scores, rows=SEEN),
    resigned=Caught(Status.DIVERGED, (Step.scores,), SEEN, says="totals: stated .*passed=7"),
)
