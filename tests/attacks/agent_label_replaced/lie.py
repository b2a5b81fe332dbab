from __future__ import annotations

from tests.attacks.kit import ALL, Caught, Lie, Status, Step, rows, stale
from tests.support.forge import Forgery


def tell(forgery: Forgery) -> None:
    forgery.bundle["agent"] |= {"adapter": "command", "name": "frontier-9", "self_test": False}


SAYS = "agent.start names the adapter 'scripted', the bundle 'command'"
SEEN = rows(Status.DIVERGED, Step.journals, *ALL)
LIE = Lie(tell=tell, edited=stale(rows=SEEN, says=SAYS), resigned=Caught(Status.DIVERGED, rows=SEEN, says=SAYS))
