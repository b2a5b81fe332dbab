from __future__ import annotations

from tests.attacks.kit import GEN, Caught, Lie, Status, Step, rows, stale
from tests.support.forge import Forgery, copied


def tell(forgery: Forgery) -> None:
    extra = copied(forgery.result(GEN, 2))
    extra["task_id"] = "easy_one"
    if forgery.form == "resigned":
        extra["receipt"]["task_id"] = "easy_one"
    forgery.results.append(extra)
    forgery.recount()


SEEN = rows(Status.COVERAGE_MISMATCH, Step.coverage, ("easy_one", 2))
SAYS = "easy_one attempt 2: not a task that this bundle has to cover"
LIE = Lie(
    tell=tell,
    edited=stale(Step.coverage, rows=SEEN, says=SAYS),
    resigned=Caught(Status.COVERAGE_MISMATCH, (Step.coverage,), SEEN, says=SAYS),
)
