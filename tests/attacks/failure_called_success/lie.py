from __future__ import annotations

from tests.attacks.kit import Lie, Status, Step, cassette_broken, row_lies
from tests.support.forge import Forgery
from tests.support.forge_traffic import Tape
from tests.support.recorded import SHORTEN


def tell(forgery: Forgery) -> None:
    tape = Tape(forgery, SHORTEN, 1)
    tape.calls[2]["status"] = 200
    tape.follow()


LIE = Lie(
    tell=tell,
    edited=cassette_broken((SHORTEN, 1)),
    resigned=row_lies(Status.DIVERGED, Step.journals, (SHORTEN, 1), says="retry_of does not follow"),
    base="recorded",
)
