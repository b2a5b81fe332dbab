from __future__ import annotations

from tests.attacks.kit import Lie, Status, Step, cassette_broken, row_lies
from tests.support.forge import Forgery
from tests.support.forge_traffic import Tape
from tests.support.recorded import WRITE


def tell(forgery: Forgery) -> None:
    body = Tape(forgery, WRITE, 1).calls[2]["body"]
    match forgery.variant:
        case "prefix":
            body["prefix"] += 1 << 20
        case "suffix":
            body["suffix"] += 1 << 20
        case "both":
            body["suffix"] = body["prefix"]
        case "size":
            body["size"] += 1
        case "huge":
            body["size"] = 1 << 40


LIE = Lie(
    tell=tell,
    edited=cassette_broken((WRITE, 1)),
    resigned=row_lies(
        Status.HASH_MISMATCH, Step.journals, (WRITE, 1), says="its body (takes more|has)|the bodies of the cassette"
    ),
    variants=("prefix", "suffix", "both", "size", "huge"),
    base="recorded",
)
