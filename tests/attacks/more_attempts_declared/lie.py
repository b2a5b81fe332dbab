from __future__ import annotations

from tests.attacks.kit import ALL, Caught, Lie, Status, Step, rows, stale
from tests.support.forge import Forgery


def tell(forgery: Forgery) -> None:
    forgery.bundle["scheduler_config"]["attempts"] = 3


SEEN = rows(Status.COVERAGE_MISMATCH, Step.coverage, *ALL, *((task, 3) for task, index in ALL if index == 1))
LIE = Lie(
    tell=tell,
    edited=stale(Step.coverage, rows=SEEN),
    resigned=Caught(Status.COVERAGE_MISMATCH, (Step.coverage,), SEEN, says="attempt 3 is not in the bundle"),
)
