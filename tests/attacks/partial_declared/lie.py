from __future__ import annotations

from tests.attacks.kit import GEN, LINT, REFACTOR, Caught, Lie, Status, Step, stale
from tests.support.forge import Forgery

KEPT = (REFACTOR, GEN, LINT)


def tell(forgery: Forgery) -> None:
    forgery.bundle["task_results"] = [one for one in forgery.results if one["task_id"] in KEPT]
    forgery.bundle["partial"] = list(KEPT)
    forgery.recoordinate()
    forgery.recount()


SAYS = "a partial run: 3 of 5 tasks; no score of the suite"
LIE = Lie(
    tell=tell,
    edited=stale(Step.coverage, Step.blobs, says=SAYS),
    resigned=Caught(Status.PARTIAL, (Step.coverage,), says=SAYS),
)
