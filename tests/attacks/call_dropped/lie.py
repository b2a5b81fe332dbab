from __future__ import annotations

from tests.attacks.kit import Lie, Status, Step, row_lies, rows, stale
from tests.support.forge import Forgery, copied
from tests.support.forge_traffic import Tape
from tests.support.recorded import WRITE


def tell(forgery: Forgery) -> None:
    tape = Tape(forgery, WRITE, 1)
    tape.whole()
    match forgery.variant:
        case "dropped":
            del tape.calls[3]
        case "added":
            tape.calls.append(copied(tape.calls[3]))
    tape.renumber()
    tape.recount()


LIE = Lie(
    tell=tell,
    edited=stale(Step.blobs, rows=rows(Status.HASH_MISMATCH, Step.blobs, (WRITE, 1))),
    resigned=row_lies(Status.DIVERGED, Step.journals, (WRITE, 1), says="the journal has 4 calls, the cassette [35]"),
    variants=("dropped", "added"),
    base="recorded",
)
