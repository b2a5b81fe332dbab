from __future__ import annotations

from tests.attacks.kit import Lie, Status, Step, row_lies, rows, stale
from tests.support.forge import Forgery
from tests.support.recorded import ATTEMPTS


def tell(forgery: Forgery) -> None:
    forgery.bundle["config"]["recording"] = "none"


LIE = Lie(
    tell=tell,
    edited=stale(rows=rows(Status.DIVERGED, Step.spines, *ATTEMPTS)),
    resigned=row_lies(Status.DIVERGED, Step.spines, *ATTEMPTS, says="the spine has cassette where workspace.final belongs"),
    base="recorded",
)
