from __future__ import annotations

from tests.attacks.kit import ALL, Caught, Lie, Status, Step, rows, stale
from tests.support.forge import Forgery


def tell(forgery: Forgery) -> None:
    forgery.bundle["agent"]["self_test"] = False


SAYS = "agent.self_test is False, but the adapter is scripted"
LIE = Lie(
    tell=tell,
    edited=stale(Step.spines, rows=rows(Status.DIVERGED, Step.spines, *ALL), says=SAYS),
    resigned=Caught(Status.DIVERGED, (Step.spines,), says=SAYS),
)
