from __future__ import annotations

from tests.attacks.kit import LINT, Caught, Lie, Status, Step, stale
from tests.support.forge import Forgery


def tell(forgery: Forgery) -> None:
    forgery.result(LINT, 1)["observed"]["wall_ms"] += 1000


SAYS = "totals: stated .*wall_ms="
LIE = Lie(
    tell=tell,
    edited=stale(Step.scores, says=SAYS),
    resigned=Caught(Status.FABRICATED_SCORE, (Step.scores,), says=SAYS),
)
