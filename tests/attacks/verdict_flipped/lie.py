from __future__ import annotations

from tests.attacks.kit import REFACTOR, Caught, Lie, Status, Step, rows, stale
from tests.support.forge import Forgery


def tell(forgery: Forgery) -> None:
    forgery.state(REFACTOR, 2, passed=True)


SAYS = r"stated passed with score 1; the evidence gives not passed \(failed: behaviour\)"
SEEN = rows(Status.FABRICATED_SCORE, Step.verdicts, (REFACTOR, 2))
LIE = Lie(
    tell=tell,
    edited=stale(rows=SEEN, says=SAYS),
    resigned=Caught(Status.DIVERGED, rows=SEEN, says=SAYS),
)
