from __future__ import annotations

from tests.attacks.kit import FILES, Caught, Lie, Status, Step, rows, stale
from tests.support.forge import Forgery


def tell(forgery: Forgery) -> None:
    digest = forgery.link(FILES, 1, "grade")["digest"]
    if forgery.variant == "file":
        records = {record["path"]: record for record in forgery.workspace(FILES, 1)["records"]}
        digest = records["out/summary.json"]["digest"]
    del forgery.blobs[digest]
    forgery.bundle["withheld"] = [digest]
    forgery.keep("documents", "blobs")
    forgery.state(FILES, 1, passed=True)
    forgery.recount()


SEEN = rows(Status.WITHHELD, Step.verdicts, (FILES, 1))
LIE = Lie(
    tell=tell,
    edited=stale(rows=SEEN),
    resigned=Caught(Status.WITHHELD, rows=SEEN, says="so no verdict follows", level="intact"),
    variants=("file", "grade"),
)
