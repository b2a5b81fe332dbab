from __future__ import annotations

from tests.attacks.kit import REFACTOR, Lie, Stands, Status, Step, row_lies, rows, stale
from tests.support.forge import Forgery, copied


def tell(forgery: Forgery) -> None:
    bent = copied(forgery.workspace(REFACTOR, 1))
    changed = next(record for record in bent["records"] if record["path"] == "ledger/accounts.py")
    changed |= {"digest": forgery.put(b"raise SystemExit(0)\n"), "size": 20}
    workspace = forgery.put_document(bent)
    grade = copied(forgery.grade(REFACTOR, 1)) | {"workspace": workspace, "graded": workspace}
    forgery.relink(REFACTOR, 2, workspace=workspace, grade=forgery.put_document(grade))
    sealed = {**forgery.event(REFACTOR, 1, "workspace.sealed"), "tree": workspace}
    forgery.event(REFACTOR, 2, "workspace.sealed").update(sealed)
    forgery.state(REFACTOR, 2, passed=True)
    forgery.recount()


LIE = Lie(
    tell=tell,
    edited=stale(rows=rows(Status.HASH_MISMATCH, Step.blobs, (REFACTOR, 2))),
    resigned=Stands(passed=7),
    regraded=row_lies(Status.DIVERGED, Step.regrade, (REFACTOR, 2), says="graded again: assertion "),
)
