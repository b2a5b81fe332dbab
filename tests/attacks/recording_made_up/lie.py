from __future__ import annotations

from tests.attacks.kit import Lie, Status, Step, cassette_broken, row_lies
from tests.support.forge import Forgery
from tests.support.forge_traffic import Tape
from tests.support.recorded import WRITE


def tell(forgery: Forgery) -> None:
    tape = Tape(forgery, WRITE, 1)
    empty = forgery.put(b"")
    for call in tape.calls:
        call["body"] = {"part": empty, "prefix": 0, "size": 0, "suffix": 0, "whole": empty}
        call["params"] = []
        call.pop("model", None)


LIE = Lie(
    tell=tell,
    edited=cassette_broken((WRITE, 1)),
    resigned=row_lies(Status.DIVERGED, Step.journals, (WRITE, 1), says="the normalised request does not follow"),
    base="recorded",
)
