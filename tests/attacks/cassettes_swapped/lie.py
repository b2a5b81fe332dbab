from __future__ import annotations

from tests.attacks.kit import Lie, Status, Step, row_lies, rows, stale
from tests.support.forge import Forgery
from tests.support.forge_traffic import Tape
from tests.support.recorded import WRITE


def tell(forgery: Forgery) -> None:
    one, other = (forgery.link(WRITE, index, "cassette") for index in (1, 2))
    one["digest"], other["digest"] = other["digest"], one["digest"]
    Tape(forgery, WRITE, 1).recount()
    Tape(forgery, WRITE, 2).recount()


LIE = Lie(
    tell=tell,
    edited=stale(rows=rows(Status.HASH_MISMATCH, Step.blobs, (WRITE, 1), (WRITE, 2))),
    resigned=row_lies(Status.DIVERGED, Step.journals, (WRITE, 1), (WRITE, 2), says="the journal has 3 calls, the cassette 4"),
    base="recorded",
)
