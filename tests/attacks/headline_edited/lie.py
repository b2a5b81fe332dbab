from __future__ import annotations

from decimal import Decimal
from typing import Any

from tests.attacks.kit import Caught, Lie, Status, Step, stale
from tests.support.forge import Forgery

EDITS: dict[str, dict[str, Any]] = {
    "pass_rate": {"pass_rate": 1},
    "overall_score": {"overall_score": 1},
    "interval": {"interval": {"method": "wilson", "low": Decimal("0.9"), "high": 1}},
    "components": {
        "components": {
            "task_success": 1,
            "code_quality": 1,
            "efficiency": 1,
            "reliability": 1,
            "safety": 1,
            "judged": 10,
        }
    },
}


def tell(forgery: Forgery) -> None:
    forgery.bundle |= EDITS[forgery.variant]


SAYS = "(pass_rate|overall_score|interval|components): stated "
LIE = Lie(
    tell=tell,
    edited=stale(Step.scores, says=SAYS),
    resigned=Caught(Status.FABRICATED_SCORE, (Step.scores,), says=SAYS),
    variants=tuple(EDITS),
)
