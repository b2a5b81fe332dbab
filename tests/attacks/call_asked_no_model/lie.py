from __future__ import annotations

from tests.attacks.kit import Lie, Status, Step, row_lies, rows, stale
from tests.support.forge import Forgery
from tests.support.forge_traffic import Tape
from tests.support.recorded import WRITE


def tell(forgery: Forgery) -> None:
    tape = Tape(forgery, WRITE, 1)
    call = tape.calls[2]
    call["api"] = "other"
    for member in ("usage", "cost_usd", "answered_by", "model"):
        call.pop(member, None)
    call["params"] = []
    tape.follow()


LIE = Lie(
    tell=tell,
    edited=stale(Step.blobs, rows=rows(Status.HASH_MISMATCH, Step.blobs, (WRITE, 1))),
    resigned=row_lies(Status.DIVERGED, Step.journals, (WRITE, 1), says="call 2: its api is not that of method and path"),
    base="recorded",
)
