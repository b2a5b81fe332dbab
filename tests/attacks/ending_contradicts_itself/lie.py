from __future__ import annotations

from tests.attacks.kit import LINT, Lie, Status, Step, receipt_broken, row_lies
from tests.support.forge import Forgery

ENDS = {
    "cause": {"cause": "sandbox_failed", "kind": "attempt.end", "outcome": "graded", "seq": 5},
    "no_cause": {"kind": "attempt.end", "outcome": "infra_error", "seq": 5},
    "unknown": {"kind": "attempt.end", "outcome": "passed", "seq": 5},
}


def tell(forgery: Forgery) -> None:
    forgery.receipt(LINT, 1)["events"][-1] = ENDS[forgery.variant]


LIE = Lie(
    tell=tell,
    edited=receipt_broken((LINT, 1)),
    resigned=row_lies(Status.MALFORMED_RECEIPT, Step.blobs, (LINT, 1), says="attempt.end|passed"),
    variants=tuple(ENDS),
)
