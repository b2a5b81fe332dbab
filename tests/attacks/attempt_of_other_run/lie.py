from __future__ import annotations

from tests.attacks.attempt_of_other_agent.lie import adopt
from tests.attacks.kit import FILES, Lie, Status, Step, row_lies, rows, stale
from tests.support.forge import Forgery


def tell(forgery: Forgery) -> None:
    adopt(forgery)
    forgery.event(FILES, 1, "agent.start")["adapter"] = "scripted"


LIE = Lie(
    tell=tell,
    edited=stale(rows=rows(Status.HASH_MISMATCH, Step.blobs, (FILES, 1))),
    resigned=row_lies(Status.DIVERGED, Step.spines, (FILES, 1), says="the spine's agent is "),
)
