from __future__ import annotations

from tests.attacks.kit import Caught, Lie, Status, Step, cassette_broken, rows
from tests.support.forge import Forgery
from tests.support.forge_traffic import Tape
from tests.support.recorded import SHORTEN, WRITE


def tell(forgery: Forgery) -> None:
    tape = Tape(forgery, SHORTEN, 2)
    tape.put_answer(2, forgery.blobs[Tape(forgery, WRITE, 1).calls[2]["answer"]])
    tape.follow()


LIE = Lie(
    tell=tell,
    edited=cassette_broken((SHORTEN, 2)),
    resigned=Caught(
        Status.REUSED_ANSWERS, rows=rows(Status.REUSED_ANSWERS, Step.journals, (SHORTEN, 2)), says="of write_file attempt 1"
    ),
    base="recorded",
)
