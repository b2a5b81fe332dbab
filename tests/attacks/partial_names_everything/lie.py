from __future__ import annotations

from tests.attacks.kit import ALL, Caught, Lie, Status, Step, stale
from tests.support.forge import Forgery


def tell(forgery: Forgery) -> None:
    names = list(dict.fromkeys(task for task, _ in ALL))
    forgery.bundle["partial"] = names if forgery.variant == "all" else names[::-1]


SAYS = "partial names some, not all, tasks of the suite"
LIE = Lie(
    tell=tell,
    edited=stale(Step.coverage, says=SAYS),
    resigned=Caught(Status.COVERAGE_MISMATCH, (Step.coverage,), says=SAYS),
    variants=("all", "reversed"),
)
