from __future__ import annotations

from tests.attacks.kit import LINT, Lie, Step, Unreadable
from tests.support.forge import Forgery


def tell(forgery: Forgery) -> None:
    result = forgery.result(LINT, 1)
    place = {
        "top": forgery.bundle,
        "result": result,
        "observed": result["observed"],
        "output": result["harness_output"],
        "attempt": result["attempt"],
        "agent": forgery.bundle["agent"],
        "totals": forgery.bundle["totals"],
        "schedule": forgery.bundle["scheduler_config"],
    }[forgery.variant]
    place["verified"] = True


REFUSED = Unreadable(Step.schema, "verified")
LIE = Lie(
    tell=tell,
    edited=REFUSED,
    resigned=REFUSED,
    variants=("top", "result", "observed", "output", "attempt", "agent", "totals", "schedule"),
)
