from __future__ import annotations

from tests.attacks.kit import GEN, REFACTOR, Lie, Status, Step, row_lies, rows, stale
from tests.support.forge import Forgery


def tell(forgery: Forgery) -> None:
    other = {"workspace": REFACTOR, "task": GEN}[forgery.variant]
    forgery.relink(REFACTOR, 2, grade=forgery.link(other, 1, "grade")["digest"])
    forgery.state(REFACTOR, 2, passed=True)
    forgery.recount()


LIE = Lie(
    tell=tell,
    edited=stale(rows=rows(Status.HASH_MISMATCH, Step.blobs, (REFACTOR, 2))),
    resigned=row_lies(Status.DIVERGED, Step.verdicts, (REFACTOR, 2), says="the grade is that of another task or workspace"),
    variants=("workspace", "task"),
)
