from __future__ import annotations

from tests.attacks.kit import Caught, Lie, Status, Step, stale
from tests.support.forge import Forgery


def tell(forgery: Forgery) -> None:
    forgery.bundle["components"]["code_quality"] = 1
    if forgery.variant == "judged":
        forgery.bundle["components"] |= {"judged": 0, "code_quality": 0}


LIE = Lie(
    tell=tell,
    edited=stale(Step.scores),
    resigned=Caught(Status.FABRICATED_SCORE, (Step.scores,), says="components: stated"),
    variants=("quality", "judged"),
    base="judged",
)
