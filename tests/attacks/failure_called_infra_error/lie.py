from __future__ import annotations

from tests.attacks.kit import REFACTOR, Lie, Stands, Status, Step, rows, stale
from tests.support.forge import Forgery


def tell(forgery: Forgery) -> None:
    forgery.end(REFACTOR, 2, "infra_error", "grader_failed", after="workspace.sealed")
    forgery.recount()


LIE = Lie(
    tell=tell,
    edited=stale(rows=rows(Status.HASH_MISMATCH, Step.blobs, (REFACTOR, 2))),
    resigned=Stands(passed=6),
)
