from __future__ import annotations

from tests.attacks.kit import LINT, Caught, Lie, Status, Step, rows, stale
from tests.support.forge import Forgery


def tell(forgery: Forgery) -> None:
    forgery.result(LINT, 1)["observed"]["cost_usd"] = -1
    forgery.recount()


SAYS = "observed: a cost of -1 USD"
SEEN = rows(Status.FABRICATED_SCORE, Step.scores, (LINT, 1))
LIE = Lie(tell=tell, edited=stale(rows=SEEN, says=SAYS), resigned=Caught(Status.DIVERGED, rows=SEEN, says=SAYS))
