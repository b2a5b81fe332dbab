from __future__ import annotations

from tests.attacks.kit import Lie, Status, Step, row_lies, rows, stale
from tests.support.forge import Forgery
from tests.support.forge_traffic import Tape
from tests.support.recorded import WRITE


def tell(forgery: Forgery) -> None:
    tape = Tape(forgery, WRITE, 1)
    tape.calls[2]["usage"]["input"] -= 100
    tape.recount()
    gone = tape.calls[1]["answer"]
    del forgery.blobs[gone]
    forgery.bundle["withheld"] = [gone]


LIE = Lie(
    tell=tell,
    edited=stale(Step.blobs, rows=rows(Status.HASH_MISMATCH, Step.blobs, (WRITE, 1))),
    resigned=row_lies(Status.FABRICATED_SCORE, Step.journals, (WRITE, 1), says="call 2: usage or model are not"),
    base="recorded",
)
