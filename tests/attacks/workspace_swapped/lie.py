from __future__ import annotations

from tests.attacks.kit import REFACTOR, Lie, Status, Step, row_lies, rows, stale
from tests.support.forge import Forgery


def tell(forgery: Forgery) -> None:
    forgery.relink(REFACTOR, 2, workspace=forgery.link(REFACTOR, 1, "workspace.final")["digest"])
    forgery.event(REFACTOR, 2, "workspace.sealed").update(forgery.event(REFACTOR, 1, "workspace.sealed"))
    forgery.state(REFACTOR, 2, passed=True)


LIE = Lie(
    tell=tell,
    edited=stale(rows=rows(Status.HASH_MISMATCH, Step.blobs, (REFACTOR, 2))),
    resigned=row_lies(Status.DIVERGED, Step.verdicts, (REFACTOR, 2), says="the grade is that of another task or workspace"),
)
