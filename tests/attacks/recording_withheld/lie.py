from __future__ import annotations

from tests.attacks.kit import Lie, Step, recorded, stale
from tests.support.forge import Forgery
from tests.support.recorded import WRITE


def tell(forgery: Forgery) -> None:
    gone = forgery.link(WRITE, 1, "cassette")["digest"]
    del forgery.blobs[gone]
    forgery.bundle["withheld"] = [gone]
    forgery.result(WRITE, 1)["observed"]["cost_usd"] = 0
    forgery.recount()


LIE = Lie(
    tell=tell,
    edited=stale(Step.blobs),
    resigned=recorded(says="tokens and cost are declared where no recording is here"),
    replayed=recorded(level="regraded", says="the bundle withholds the recording"),
    base="recorded",
)
