from __future__ import annotations

from tests.attacks.kit import GEN, Caught, Lie, Status, Step, rows, stale
from tests.support.forge import Forgery, copied


def tell(forgery: Forgery) -> None:
    forgery.results.append(copied(forgery.result(GEN, 2)))
    forgery.recount()


SEEN = rows(Status.COVERAGE_MISMATCH, Step.coverage, (GEN, 2))
LIE = Lie(
    tell=tell,
    edited=stale(Step.coverage, rows=SEEN, says="stands twice"),
    resigned=Caught(Status.COVERAGE_MISMATCH, (Step.coverage,), SEEN, says=f"{GEN} attempt 2: stands twice"),
)
