from __future__ import annotations

from tests.attacks.kit import Lie, Status, Step, cassette_broken, row_lies
from tests.support.forge import Forgery
from tests.support.forge_traffic import Tape
from tests.support.recorded import WRITE


def tell(forgery: Forgery) -> None:
    call = Tape(forgery, WRITE, 1).calls[2]
    match forgery.variant:
        case "model":
            call["model"] = "scripted-small"
        case "temperature":
            call["params"] = [[name, "0" if name == "temperature" else value] for name, value in call["params"]]
        case "no_parameters":
            call["params"] = []


LIE = Lie(
    tell=tell,
    edited=cassette_broken((WRITE, 1)),
    resigned=row_lies(
        Status.DIVERGED, Step.journals, (WRITE, 1), says="call 2: model or parameters are not those of the request"
    ),
    variants=("model", "temperature", "no_parameters"),
    base="recorded",
)
