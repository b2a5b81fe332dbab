from __future__ import annotations

from tests.attacks.kit import REFACTOR, Caught, Lie, Status, Step, rows, stale
from tests.support.forge import Forgery


def tell(forgery: Forgery) -> None:
    result = forgery.result(REFACTOR, 2)
    result["attempt"] = {"index": 3, "of": 3}
    result["receipt"]["attempt"] = {"index": 3, "of": 3}


SEEN = rows(Status.COVERAGE_MISMATCH, Step.coverage, (REFACTOR, 2), (REFACTOR, 3))
SAYS = "attempt 3 of 3, where 2 are declared"
LIE = Lie(
    tell=tell,
    edited=stale(Step.coverage, rows=SEEN, says=SAYS),
    resigned=Caught(Status.COVERAGE_MISMATCH, (Step.coverage,), SEEN, says=SAYS),
)
