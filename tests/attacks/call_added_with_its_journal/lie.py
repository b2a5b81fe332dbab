from __future__ import annotations

from tests.attacks.kit import Lie, Status, Step, recorded, row_lies, rows, stale
from tests.support.forge import Forgery, copied
from tests.support.forge_traffic import Tape
from tests.support.recorded import WRITE


def tell(forgery: Forgery) -> None:
    tape = Tape(forgery, WRITE, 1)
    tape.whole()
    tape.calls.append(copied(tape.calls[3]))
    tape.put_answer(4, forgery.blobs[tape.calls[3]["answer"]] + b" ")
    tape.follow()


LIE = Lie(
    tell=tell,
    edited=stale(Step.blobs, rows=rows(Status.HASH_MISMATCH, Step.blobs, (WRITE, 1))),
    resigned=recorded(),
    replayed=row_lies(Status.DIVERGED, Step.replay, (WRITE, 1), says="recorded calls? (was|were) not made"),
    base="recorded",
)
