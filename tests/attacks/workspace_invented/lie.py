from __future__ import annotations

from tests.attacks.kit import REFACTOR, Lie, Stands, Status, Step, rows, stale
from tests.support.forge import Forgery


def tell(forgery: Forgery) -> None:
    good = forgery.receipt(REFACTOR, 1)
    links = {link["role"]: link["digest"] for link in good["spine"]}
    forgery.relink(REFACTOR, 2, workspace=links["workspace.final"], grade=links["grade"])
    forgery.event(REFACTOR, 2, "workspace.sealed").update(forgery.event(REFACTOR, 1, "workspace.sealed"))
    forgery.state(REFACTOR, 2, passed=True)
    forgery.recount()


LIE = Lie(
    tell=tell,
    edited=stale(rows=rows(Status.HASH_MISMATCH, Step.blobs, (REFACTOR, 2))),
    resigned=Stands(passed=7, references=8),
    regraded=Stands(passed=7, level="regraded"),
)
