from __future__ import annotations

from tests.attacks.kit import Caught, Lie, Status, Step, stale
from tests.support.forge import Forgery


def tell(forgery: Forgery) -> None:
    results = forgery.results
    results[2], results[3] = results[3], results[2]


SAYS = "in the order of the suite"
LIE = Lie(
    tell=tell,
    edited=stale(Step.coverage, says=SAYS),
    resigned=Caught(Status.COVERAGE_MISMATCH, (Step.coverage,), says=SAYS),
)
