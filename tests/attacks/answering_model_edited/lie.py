from __future__ import annotations

from tests.attacks.kit import Lie, Status, Step, cassette_broken, row_lies
from tests.support.forge import Forgery
from tests.support.forge_traffic import Tape
from tests.support.recorded import WRITE


def tell(forgery: Forgery) -> None:
    Tape(forgery, WRITE, 1).calls[2]["answered_by"] = "scripted-small"


LIE = Lie(
    tell=tell,
    edited=cassette_broken((WRITE, 1)),
    resigned=row_lies(
        Status.FABRICATED_SCORE, Step.journals, (WRITE, 1), says="call 2: usage or model are not those of the answer"
    ),
    base="recorded",
)
