from __future__ import annotations

from tests.attacks.kit import Lie, Status, Step, recorded, rows, stale
from tests.support.forge import Forgery, hashed
from tests.support.forge_traffic import Tape
from tests.support.recorded import ATTEMPTS, SHORTEN


def tell(forgery: Forgery) -> None:
    own = forgery.bundle["agent"]["rules"] = hashed({})
    for task, index in ATTEMPTS:
        tape = Tape(forgery, task, index)
        tape.document["rules"] = own
        for call in tape.calls:
            call["request"] = own
            call.pop("retry_of", None)
        if (task, index) == (SHORTEN, 1):
            tape.calls[3]["retry_of"] = 2
        tape.retell()


LIE = Lie(
    tell=tell,
    edited=stale(Step.blobs, rows=rows(Status.HASH_MISMATCH, Step.blobs, *ATTEMPTS)),
    resigned=recorded(says="requests were not derived again: their rules are not among this reader's"),
    replayed=recorded(level="regraded", says="rules by which its requests are compared are not among this reader's"),
    base="recorded",
)
