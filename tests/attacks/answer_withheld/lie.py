from __future__ import annotations

from tests.attacks.kit import Lie, Status, Step, recorded, rows, stale
from tests.support.forge import Forgery
from tests.support.forge_traffic import Tape
from tests.support.recorded import WRITE


def tell(forgery: Forgery) -> None:
    tape = Tape(forgery, WRITE, 1)
    call = tape.calls[3]
    gone = call["answer"]
    call["usage"] |= {"input": 0, "output": 0}
    call["cost_usd"] = 0
    tape.follow()
    del forgery.blobs[gone]
    forgery.bundle["withheld"] = [gone]


LIE = Lie(
    tell=tell,
    edited=stale(Step.blobs, rows=rows(Status.HASH_MISMATCH, Step.blobs, (WRITE, 1))),
    resigned=recorded(says="tokens and cost are declared for answers that the bundle withholds"),
    replayed=recorded(level="regraded", says="the bundle withholds a part of the recording"),
    base="recorded",
)
