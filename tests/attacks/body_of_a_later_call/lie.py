from __future__ import annotations

from tests.attacks.kit import Lie, Status, Step, cassette_broken, row_lies
from tests.support.forge import Forgery
from tests.support.forge_traffic import Tape
from tests.support.recorded import WRITE


def tell(forgery: Forgery) -> None:
    calls = Tape(forgery, WRITE, 1).calls
    match forgery.variant:
        case "later":
            calls[2]["body"]["base"] = 3
        case "itself":
            calls[2]["body"]["base"] = 2
        case "repeats_a_later_one":
            calls[2]["retry_of"] = 3


LIE = Lie(
    tell=tell,
    edited=cassette_broken((WRITE, 1)),
    resigned=row_lies(Status.MALFORMED_RECEIPT, Step.blobs, (WRITE, 1), says="cassette: .*which is no earlier one"),
    variants=("later", "itself", "repeats_a_later_one"),
    base="recorded",
)
