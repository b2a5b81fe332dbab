from __future__ import annotations

from typing import Any

from tests.attacks.kit import FILES, Lie, Status, Step, row_lies, rows, stale
from tests.support.forge import Forgery, copied


def tell(forgery: Forgery) -> None:
    adopt(forgery)


def adopt(forgery: Forgery) -> dict[str, Any]:
    """Put the other run's attempt at the files task in the place of ours."""
    result = forgery.result(FILES, 1)
    receipt = result["receipt"] = copied(forgery.donor.receipt(FILES, 1))
    receipt["attempt"] = {"index": 1, "of": 2}
    if forgery.form == "resigned":
        forgery.blobs |= forgery.donor.blobs
    forgery.state(FILES, 1, passed=True)
    forgery.recount()
    return receipt


SAYS = "agent.start names the adapter 'oracle', the bundle 'scripted'"
LIE = Lie(
    tell=tell,
    edited=stale(rows=rows(Status.HASH_MISMATCH, Step.blobs, (FILES, 1))),
    resigned=row_lies(Status.DIVERGED, Step.journals, (FILES, 1), says=SAYS),
)
