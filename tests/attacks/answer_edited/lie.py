from __future__ import annotations

from tests.attacks.kit import Lie, Status, Step, cassette_broken, row_lies
from tests.support.forge import Forgery
from tests.support.forge_traffic import Tape
from tests.support.recorded import WRITE


def tell(forgery: Forgery) -> None:
    tape = Tape(forgery, WRITE, 1)
    tape.set_answer(2, lambda said: said["choices"][0]["message"].update(content="Easy."))
    tape.recount()


LIE = Lie(
    tell=tell,
    edited=cassette_broken((WRITE, 1)),
    resigned=row_lies(Status.DIVERGED, Step.journals, (WRITE, 1), says="call 2: journal and cassette differ"),
    base="recorded",
)
