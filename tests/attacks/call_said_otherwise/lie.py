from __future__ import annotations

from tests.attacks.kit import Lie, Status, Step, cassette_broken, row_lies
from tests.support.forge import Forgery
from tests.support.forge_traffic import Tape
from tests.support.recorded import SHORTEN


def tell(forgery: Forgery) -> None:
    tape = Tape(forgery, SHORTEN, 1)
    match forgery.variant:
        case "cut":
            tape.calls[3]["complete"] = False
        case "status":
            tape.calls[2]["status"] = 200
        case "asked_no_model":
            tape.calls[3]["api"] = "other"


LIE = Lie(
    tell=tell,
    edited=cassette_broken((SHORTEN, 1)),
    resigned=row_lies(Status.DIVERGED, Step.journals, (SHORTEN, 1), says="call [23]: journal and cassette differ"),
    variants=("cut", "status", "asked_no_model"),
    base="recorded",
)
