from __future__ import annotations

from tests.attacks.kit import Lie, Status, Step, recorded, row_lies, rows, stale
from tests.support.forge import Forgery
from tests.support.forge_traffic import Tape
from tests.support.recorded import WRITE


def tell(forgery: Forgery) -> None:
    tape = Tape(forgery, WRITE, 1)
    tape.whole()
    del tape.calls[3]
    tape.follow()


LIE = Lie(
    tell=tell,
    edited=stale(Step.blobs, rows=rows(Status.HASH_MISMATCH, Step.blobs, (WRITE, 1))),
    resigned=recorded(),
    replayed=row_lies(Status.DIVERGED, Step.replay, (WRITE, 1), says="one call more than recorded"),
    base="recorded",
)
