from __future__ import annotations

from tests.attacks.kit import Lie, Status, Step, recorded, rows, stale
from tests.support.forge import Forgery
from tests.support.forge_traffic import Tape
from tests.support.recorded import SHORTEN


def tell(forgery: Forgery) -> None:
    tape = Tape(forgery, SHORTEN, 1)
    tape.whole()
    del tape.calls[2]
    del tape.calls[2]["retry_of"]
    tape.follow()


LIE = Lie(
    tell=tell,
    edited=stale(Step.blobs, rows=rows(Status.HASH_MISMATCH, Step.blobs, (SHORTEN, 1))),
    resigned=recorded(),
    replayed=recorded(level="replayed"),
    base="recorded",
)
