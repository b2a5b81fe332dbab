from __future__ import annotations

from random import Random

from tests.attacks.kit import Lie, Status, Step, row_lies, rows, stale
from tests.support.forge import Forgery, copied, hashed
from tests.support.forge_traffic import Tape
from tests.support.recorded import WRITE


def tell(forgery: Forgery) -> None:
    tape = Tape(forgery, WRITE, 1)
    tape.whole()
    first, empty = tape.calls[1], forgery.put(b"")
    size, count = (1 << 10, 30) if forgery.variant == "doubling" else (1 << 23, 2_100)
    first["body"] = {
        "part": forgery.put(Random(0).randbytes(size >> 6).ljust(size)),
        "prefix": 0,
        "size": size,
        "suffix": 0,
        "whole": hashed({}),
    }
    del tape.calls[2:]
    for number in range(2, count):
        suffix = size if forgery.variant == "doubling" else 0
        body = {"base": number - 1, "part": empty, "prefix": size, "size": size + suffix, "suffix": suffix, "whole": hashed({})}
        tape.calls.append(copied(first) | {"body": body})
        size += suffix
    tape.follow()


LIE = Lie(
    tell=tell,
    edited=stale(Step.blobs, rows=rows(Status.HASH_MISMATCH, Step.blobs, (WRITE, 1))),
    resigned=row_lies(Status.HASH_MISMATCH, Step.journals, (WRITE, 1), says="the bodies of the cassette have more than"),
    variants=("doubling", "many"),
    base="recorded",
)
