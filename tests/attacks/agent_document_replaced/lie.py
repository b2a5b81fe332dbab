from __future__ import annotations

from tests.attacks.kit import ALL, Caught, Lie, Status, Step, rows, stale
from tests.support.forge import Forgery


def tell(forgery: Forgery) -> None:
    forgery.bundle["agent"]["name"] = "frontier-9"
    forgery.keep("documents")


SAYS = "the spine's agent is "
SEEN = rows(Status.DIVERGED, Step.spines, *ALL)
LIE = Lie(tell=tell, edited=stale(rows=SEEN, says=SAYS), resigned=Caught(Status.DIVERGED, rows=SEEN, says=SAYS))
