from __future__ import annotations

from tests.attacks.kit import LINT, Lie, Step, Unreadable
from tests.support.forge import Forgery


def tell(forgery: Forgery) -> None:
    place = forgery.result(LINT, 1) if forgery.variant in {"passed", "attempt", "score", "receipt_hash"} else forgery.bundle
    del place[forgery.variant]
    forgery.keep("receipt_hash")


REFUSED = Unreadable(Step.schema, "missing required field")
LIE = Lie(
    tell=tell,
    edited=REFUSED,
    resigned=REFUSED,
    variants=("passed", "attempt", "score", "totals", "interval", "components", "suite_version", "coordination"),
)
