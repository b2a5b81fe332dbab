from __future__ import annotations

from tests.attacks.kit import Lie, Status, Step, row_lies, rows, stale
from tests.support.forge import Forgery
from tests.support.forge_traffic import Tape
from tests.support.recorded import SHORTEN


def tell(forgery: Forgery) -> None:
    observed = Tape(forgery, SHORTEN, 1).observed
    match forgery.variant:
        case "cost":
            observed["cost_usd"] = 0
        case "cost_left_out":
            del observed["cost_usd"]
        case name:
            observed[name] -= 1
    forgery.recount()


LIE = Lie(
    tell=tell,
    edited=stale(rows=rows(Status.FABRICATED_SCORE, Step.scores, (SHORTEN, 1))),
    resigned=row_lies(Status.FABRICATED_SCORE, Step.scores, (SHORTEN, 1), says="observed: calls, tokens or cost are not those"),
    variants=("calls", "input_tokens", "output_tokens", "cost", "cost_left_out"),
    base="recorded",
)
