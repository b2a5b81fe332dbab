from __future__ import annotations

from tests.attacks.kit import ALL, Caught, Lie, Status, Step, rows, stale
from tests.support.forge import Forgery


def tell(forgery: Forgery) -> None:
    forgery.bundle["task_results"] = []
    forgery.bundle["coordination"]["tasks"] = []


SEEN = rows(Status.COVERAGE_MISMATCH, Step.coverage, *ALL)
LIE = Lie(
    tell=tell,
    edited=stale(Step.coverage, rows=SEEN),
    resigned=Caught(Status.COVERAGE_MISMATCH, (Step.coverage,), SEEN),
)
