from __future__ import annotations

from tests.attacks.kit import Lie, Status, Step, cassette_broken, recorded, row_lies
from tests.support.forge import Forgery
from tests.support.forge_traffic import Tape
from tests.support.recorded import SHORTEN


def tell(forgery: Forgery) -> None:
    one, other = Tape(forgery, SHORTEN, 1), Tape(forgery, SHORTEN, 2)
    first, second = (forgery.blobs[tape.calls[1]["answer"]] for tape in (one, other))
    one.put_answer(1, second)
    other.put_answer(1, first)
    one.follow()
    other.follow()


LIE = Lie(
    tell=tell,
    edited=cassette_broken((SHORTEN, 1), (SHORTEN, 2)),
    resigned=recorded(),
    replayed=row_lies(Status.DIVERGED, Step.replay, (SHORTEN, 1), (SHORTEN, 2), says="messages"),
    base="recorded",
)
