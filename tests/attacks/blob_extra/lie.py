from __future__ import annotations

from tests.attacks.kit import Caught, Lie, Status, Step
from tests.support.forge import Forgery


def tell(forgery: Forgery) -> None:
    forgery.put(b"an unseen passenger")
    forgery.keep("blobs")


FOUND = Caught(Status.HASH_MISMATCH, (Step.blobs,), says="is in the file but no receipt names it")
LIE = Lie(tell=tell, edited=FOUND, resigned=FOUND)
