from __future__ import annotations

from tests.attacks.kit import Lie, Status, Step, row_lies, rows, stale
from tests.support.forge import Forgery
from tests.support.recorded import ATTEMPTS


def tell(forgery: Forgery) -> None:
    forgery.bundle["config"]["network"] = forgery.variant


LIE = Lie(
    tell=tell,
    edited=stale(rows=rows(Status.DIVERGED, Step.journals, *ATTEMPTS)),
    resigned=row_lies(Status.DIVERGED, Step.journals, *ATTEMPTS, says="in a run without a gateway"),
    variants=("none", "host"),
    base="recorded",
)
