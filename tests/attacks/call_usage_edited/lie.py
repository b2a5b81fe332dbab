from __future__ import annotations

from tests.attacks.kit import Lie, Status, Step, row_lies, rows, stale
from tests.support.forge import Forgery
from tests.support.forge_traffic import Tape
from tests.support.recorded import WRITE


def tell(forgery: Forgery) -> None:
    tape = Tape(forgery, WRITE, 1)
    match forgery.variant:
        case "tokens":
            tape.calls[2]["usage"]["input"] -= 100
        case "no_tokens":
            del tape.calls[2]["usage"], tape.calls[2]["cost_usd"]
        case "cost":
            tape.calls[2]["cost_usd"] = 0
    tape.recount()


LIE = Lie(
    tell=tell,
    edited=stale(Step.blobs, rows=rows(Status.HASH_MISMATCH, Step.blobs, (WRITE, 1))),
    resigned=row_lies(
        Status.FABRICATED_SCORE, Step.journals, (WRITE, 1), says="call 2: (usage or model are|its cost does) not"
    ),
    variants=("tokens", "no_tokens", "cost"),
    base="recorded",
)
