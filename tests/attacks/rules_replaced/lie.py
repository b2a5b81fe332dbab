from __future__ import annotations

from tests.attacks.kit import Lie, Status, Step, cassette_broken, row_lies
from tests.support.forge import Forgery, hashed
from tests.support.forge_traffic import Tape
from tests.support.recorded import WRITE


def tell(forgery: Forgery) -> None:
    Tape(forgery, WRITE, 1).document["rules"] = hashed({})


LIE = Lie(
    tell=tell,
    edited=cassette_broken((WRITE, 1)),
    resigned=row_lies(Status.DIVERGED, Step.journals, (WRITE, 1), says="made with other rules than the agent's"),
    base="recorded",
)
