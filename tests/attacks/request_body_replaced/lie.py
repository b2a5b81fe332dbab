from __future__ import annotations

from tests.attacks.kit import Lie, Status, Step, cassette_broken, row_lies
from tests.support.forge import Forgery
from tests.support.forge_traffic import Tape
from tests.support.recorded import WRITE


def tell(forgery: Forgery) -> None:
    tape = Tape(forgery, WRITE, 1)
    tape.whole()
    body = b"" if forgery.variant == "emptied" else tape.body(1).replace(b"0.5", b"0.7")
    tape.calls[1]["body"] |= {"part": forgery.put(body), "size": len(body)}


LIE = Lie(
    tell=tell,
    edited=cassette_broken((WRITE, 1)),
    resigned=row_lies(
        Status.HASH_MISMATCH, Step.journals, (WRITE, 1), says="call 1: its body is not the one that the cassette names"
    ),
    variants=("replaced", "emptied"),
    base="recorded",
)
