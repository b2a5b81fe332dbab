from __future__ import annotations

from tests.attacks.kit import ALL, Caught, Lie, Status, Step, rows, stale
from tests.support.forge import Forgery

FIRST = tuple(key for key in ALL if key[1] == 1)


def tell(forgery: Forgery) -> None:
    forgery.bundle["scheduler_config"]["attempts"] = 1
    forgery.bundle["task_results"] = [one for one in forgery.results if one["attempt"]["index"] == 1]
    forgery.recount()


SEEN = rows(Status.COVERAGE_MISMATCH, Step.coverage, *FIRST)
SAYS = "attempt 1 of 2, where 1 are declared"
LIE = Lie(
    tell=tell,
    edited=stale(Step.coverage, rows=SEEN, says=SAYS),
    resigned=Caught(Status.COVERAGE_MISMATCH, (Step.coverage,), SEEN, says=SAYS),
)
