from __future__ import annotations

from tests.attacks.kit import REFACTOR, Caught, Lie, Status, Step, rows, stale
from tests.support.forge import Forgery


def tell(forgery: Forgery) -> None:
    forgery.bundle["task_results"] = [one for one in forgery.results if one["task_id"] != REFACTOR]
    forgery.recoordinate()
    forgery.recount()


SAYS = f"{REFACTOR} attempt 1 is not in the bundle"
SEEN = rows(Status.COVERAGE_MISMATCH, Step.coverage, (REFACTOR, 1), (REFACTOR, 2))
LIE = Lie(
    tell=tell,
    edited=stale(Step.coverage, rows=SEEN, says=SAYS),
    resigned=Caught(Status.COVERAGE_MISMATCH, (Step.coverage,), SEEN, says=SAYS, level="claimed"),
)
