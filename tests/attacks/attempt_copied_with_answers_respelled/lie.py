from __future__ import annotations

from tests.attacks.kit import Lie, Status, Step, recorded, rows, stale
from tests.support.forge import Forgery, copied
from tests.support.forge_traffic import Tape
from tests.support.recorded import WRITE


def tell(forgery: Forgery) -> None:
    better, worse = forgery.result(WRITE, 1), forgery.result(WRITE, 2)
    receipt = copied(better["receipt"]) | {"attempt": worse["attempt"]}
    worse.update({name: value for name, value in copied(better).items() if name not in {"attempt", "receipt_hash"}})
    worse["receipt"] = receipt
    tape = Tape(forgery, WRITE, 2)
    tape.copy_from(Tape(forgery, WRITE, 1))
    for number, call in enumerate(tape.calls):
        tape.put_answer(number, forgery.blobs[call["answer"]] + b" ")
    tape.follow()


LIE = Lie(
    tell=tell,
    edited=stale(Step.blobs, rows=rows(Status.HASH_MISMATCH, Step.blobs, (WRITE, 2))),
    resigned=recorded(passed=4),
    replayed=recorded(passed=4, level="replayed"),
    base="recorded",
)
