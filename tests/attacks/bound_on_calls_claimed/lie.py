from __future__ import annotations

from tests.attacks.kit import Lie, Status, Step, row_lies, stale
from tests.support.forge import Forgery
from tests.support.recorded import SHORTEN, WRITE


def tell(forgery: Forgery) -> None:
    forgery.bundle["config"]["limits"]["calls"] = 2


LIE = Lie(
    tell=tell,
    edited=stale(
        rows={
            (WRITE, 1): (Status.DIVERGED, Step.journals),
            (WRITE, 2): (Status.DIVERGED, Step.spines),
            (SHORTEN, 1): (Status.DIVERGED, Step.journals),
            (SHORTEN, 2): (Status.DIVERGED, Step.journals),
        }
    ),
    resigned=row_lies(Status.DIVERGED, Step.journals, (WRITE, 1), (SHORTEN, 1), (SHORTEN, 2), says="where the run allows 2"),
    base="recorded",
)
