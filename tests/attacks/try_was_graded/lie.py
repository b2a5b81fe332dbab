from __future__ import annotations

from tests.attacks.kit import GEN, Caught, Lie, Status, Step, rows, stale
from tests.support.forge import Forgery, copied, hashed


def tell(forgery: Forgery) -> None:
    earlier = copied(forgery.receipt(GEN, 1))
    forgery.result(GEN, 1)["tries"] = [{"receipt": earlier, "receipt_hash": hashed(earlier)}]


SAYS = "was graded; it would have been the attempt"
SEEN = rows(Status.MALFORMED_RECEIPT, Step.blobs, (GEN, 1))
LIE = Lie(tell=tell, edited=stale(rows=SEEN, says=SAYS), resigned=Caught(Status.DIVERGED, rows=SEEN, says=SAYS))
