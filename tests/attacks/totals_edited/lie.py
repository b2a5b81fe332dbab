from __future__ import annotations

from tests.attacks.kit import Caught, Lie, Status, Step, stale
from tests.support.forge import Forgery


def tell(forgery: Forgery) -> None:
    forgery.bundle["totals"][forgery.variant] += 1


SAYS = "totals: stated "
LIE = Lie(
    tell=tell,
    edited=stale(Step.scores, says=SAYS),
    resigned=Caught(Status.FABRICATED_SCORE, (Step.scores,), says=SAYS),
    variants=("tasks", "attempts", "passed", "failed", "infra_errors", "refused", "wall_ms", "cost_usd"),
)
