from __future__ import annotations

from tests.attacks.kit import Caught, Lie, Status, Step, stale
from tests.support.forge import Forgery


def tell(forgery: Forgery) -> None:
    forgery.bundle["task_results"] = sorted(forgery.results, key=lambda one: one["task_id"])
    forgery.recoordinate()


SAYS = "in the order of the suite"
LIE = Lie(
    tell=tell,
    edited=stale(Step.coverage, says=SAYS),
    resigned=Caught(Status.COVERAGE_MISMATCH, (Step.coverage,), says=SAYS),
)
