from __future__ import annotations

from tests.attacks.kit import GEN, Caught, Lie, Status, Step, rows, stale
from tests.support.forge import Forgery, copied


def tell(forgery: Forgery) -> None:
    forgery.result(GEN, 2)["tries"] = copied(forgery.result(GEN, 1)["tries"])


SAYS = "is not one of this attempt"
SEEN = rows(Status.DIVERGED, Step.blobs, (GEN, 2))
LIE = Lie(tell=tell, edited=stale(rows=SEEN, says=SAYS), resigned=Caught(Status.DIVERGED, rows=SEEN, says=SAYS))
