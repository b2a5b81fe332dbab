from __future__ import annotations

from tests.attacks.kit import Lie, Status, Step, cassette_broken, row_lies
from tests.support.forge import Forgery
from tests.support.forge_traffic import Tape
from tests.support.recorded import WRITE


def tell(forgery: Forgery) -> None:
    tape = Tape(forgery, WRITE, 1)
    tape.whole()
    old = tape.calls[2]["request"]
    if forgery.variant == "temperature":
        tape.set_body(2, lambda said: said.update(temperature=0))
    else:
        tape.set_body(2, lambda said: said["messages"][0].update(content="Be brief."))
    tape.calls[2]["request"] = old


LIE = Lie(
    tell=tell,
    edited=cassette_broken((WRITE, 1)),
    resigned=row_lies(Status.DIVERGED, Step.journals, (WRITE, 1), says="call 2: the normalised request does not follow"),
    variants=("temperature", "text"),
    base="recorded",
)
