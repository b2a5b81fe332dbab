from __future__ import annotations

from tests.attacks.kit import Caught, Lie, Status, Step, stale
from tests.support.forge import Forgery


def tell(forgery: Forgery) -> None:
    forgery.bundle["suite_version"] = "golden-v999"


SAYS = "suite_version is 'golden-v999', the suite's is 'golden-v1'"
LIE = Lie(
    tell=tell,
    edited=stale(Step.coverage, says=SAYS),
    resigned=Caught(Status.COVERAGE_MISMATCH, (Step.coverage,), says=SAYS),
)
