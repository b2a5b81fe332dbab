from __future__ import annotations

from tests.attacks.kit import FILES, Caught, Lie, Status, Step, rows, stale
from tests.support.forge import Forgery


def tell(forgery: Forgery) -> None:
    forgery.state(FILES, 1, passed=True)


SAYS = r"not passed \(failed: report_content, summary_content\)"
SEEN = rows(Status.FABRICATED_SCORE, Step.verdicts, (FILES, 1))
LIE = Lie(tell=tell, edited=stale(rows=SEEN, says=SAYS), resigned=Caught(Status.DIVERGED, rows=SEEN, says=SAYS))
