from __future__ import annotations

from tests.attacks.kit import Lie, Status, Step, recorded, rows, stale
from tests.support.forge import Forgery, hashed
from tests.support.forge_traffic import Tape
from tests.support.recorded import ATTEMPTS


def tell(forgery: Forgery) -> None:
    forgery.bundle["config"]["prices"] = hashed({})
    for task, index in ATTEMPTS:
        tape = Tape(forgery, task, index)
        for call in tape.calls:
            if "cost_usd" in call:
                call["cost_usd"] = 0
        tape.recount()


LIE = Lie(
    tell=tell,
    edited=stale(Step.blobs, rows=rows(Status.HASH_MISMATCH, Step.blobs, *ATTEMPTS)),
    resigned=recorded(says="cost is declared: the price table of the run is not among this reader's"),
    replayed=recorded(level="regraded", says="the price table of the recording"),
    base="recorded",
)
