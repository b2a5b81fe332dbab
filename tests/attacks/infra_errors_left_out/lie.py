from __future__ import annotations

from decimal import Decimal

from tests.attacks.kit import REFACTOR, Caught, Lie, Status, Step, rows, stale
from tests.support.forge import Forgery


def tell(forgery: Forgery) -> None:
    forgery.end(REFACTOR, 2, "infra_error", "grader_failed", after="workspace.sealed")
    forgery.recount()
    forgery.bundle["totals"] |= {"attempts": 9, "infra_errors": 0}
    forgery.bundle["pass_rate"] = Decimal("0.666667")


LIE = Lie(
    tell=tell,
    edited=stale(rows=rows(Status.HASH_MISMATCH, Step.blobs, (REFACTOR, 2))),
    resigned=Caught(Status.FABRICATED_SCORE, (Step.scores,), says="pass_rate: stated 0.666667, the evidence gives 0.6"),
)
