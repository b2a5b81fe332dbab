from __future__ import annotations

from tests.attacks.kit import DOC, Caught, Lie, Status, Step, rows, stale
from tests.support.forge import Forgery


def tell(forgery: Forgery) -> None:
    forgery.state(DOC, 2, passed=True)


SAYS = r"not passed \(output\)"
SEEN = rows(Status.FABRICATED_SCORE, Step.verdicts, (DOC, 2))
LIE = Lie(tell=tell, edited=stale(rows=SEEN, says=SAYS), resigned=Caught(Status.DIVERGED, rows=SEEN, says=SAYS))
