from __future__ import annotations

from tests.attacks.kit import Lie, Status, Step, cassette_broken, recorded, row_lies
from tests.support.forge import Forgery
from tests.support.forge_traffic import Tape
from tests.support.recorded import WRITE


def tell(forgery: Forgery) -> None:
    tape = Tape(forgery, WRITE, 1)
    tape.whole()
    tape.set_body(2, lambda said: said["messages"][0].update(content="Be brief."))
    tape.follow()


LIE = Lie(
    tell=tell,
    edited=cassette_broken((WRITE, 1)),
    resigned=recorded(),
    replayed=row_lies(Status.DIVERGED, Step.replay, (WRITE, 1), says="messages"),
    base="recorded",
)
