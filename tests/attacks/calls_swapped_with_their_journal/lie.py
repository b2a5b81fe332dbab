from __future__ import annotations

from tests.attacks.kit import Lie, cassette_broken, recorded
from tests.support.forge import Forgery
from tests.support.forge_traffic import Tape
from tests.support.recorded import WRITE


def tell(forgery: Forgery) -> None:
    tape = Tape(forgery, WRITE, 1)
    tape.whole()
    tape.calls[1:3] = reversed(tape.calls[1:3])
    tape.follow()


LIE = Lie(
    tell=tell,
    edited=cassette_broken((WRITE, 1)),
    resigned=recorded(),
    replayed=recorded(level="replayed"),
    base="recorded",
)
