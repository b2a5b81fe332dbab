from __future__ import annotations

from tests.attacks.kit import FILES, Lie, Status, Step, row_lies
from tests.support.forge import Forgery


def tell(forgery: Forgery) -> None:
    if forgery.variant == "file":
        records = {record["path"]: record for record in forgery.workspace(FILES, 1)["records"]}
        del forgery.blobs[records["out/report.csv"]["digest"]]
    else:
        del forgery.blobs[forgery.link(FILES, 1, forgery.variant)["digest"]]
    forgery.keep("documents")


FOUND = row_lies(Status.MISSING_RECEIPT, Step.blobs, (FILES, 1), says="is neither in the file nor listed as withheld")
LIE = Lie(tell=tell, edited=FOUND, resigned=FOUND, variants=("file", "grade", "workspace.final"))
