from __future__ import annotations

from tests.attacks.kit import ALL, Lie, Stands, Status, Step, rows, stale
from tests.support.forge import Forgery


def tell(forgery: Forgery) -> None:
    assert forgery.bundle["config"]["sandbox"] == "none"
    forgery.bundle["config"] |= {"sandbox": "bwrap", "network": "none"}


LIE = Lie(
    tell=tell,
    edited=stale(rows=rows(Status.DIVERGED, Step.spines, *(key for key in ALL if key[1] == 1)), says="the spine's config is "),
    resigned=Stands(passed=None, attempts=5),
    base="donor",
)
