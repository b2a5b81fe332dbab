from __future__ import annotations

from tests.attacks.kit import Lie, Status, Step, cassette_broken, row_lies
from tests.support.forge import Forgery
from tests.support.forge_traffic import Tape
from tests.support.recorded import SHORTEN


def tell(forgery: Forgery) -> None:
    calls = Tape(forgery, SHORTEN, 1).calls
    if forgery.variant == "denied":
        del calls[3]["retry_of"]
    else:
        calls[2]["retry_of"] = 1


LIE = Lie(
    tell=tell,
    edited=cassette_broken((SHORTEN, 1)),
    resigned=row_lies(Status.DIVERGED, Step.journals, (SHORTEN, 1), says="retry_of does not follow"),
    variants=("denied", "invented"),
    base="recorded",
)
