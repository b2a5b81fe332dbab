from __future__ import annotations

from tests.attacks.kit import DOC, Lie, Stands, Status, Step, rows, stale
from tests.support.forge import Forgery


def tell(forgery: Forgery) -> None:
    end = forgery.event(DOC, 2, "agent.end")
    del end["limit"]
    end["exit"] = 0
    forgery.state(DOC, 2, passed=True)
    forgery.recount()


LIE = Lie(
    tell=tell,
    edited=stale(rows=rows(Status.HASH_MISMATCH, Step.blobs, (DOC, 2))),
    resigned=Stands(passed=7),
    regraded=Stands(passed=7, level="regraded"),
)
