from __future__ import annotations

from tests.attacks.kit import ALL, FILES, Lie, Status, Step, row_lies
from tests.support.forge import Forgery


def tell(forgery: Forgery) -> None:
    del forgery.blobs[forgery.link(FILES, 1, forgery.variant)["digest"]]
    forgery.keep("documents")


FOUND = row_lies(Status.MISSING_RECEIPT, Step.blobs, *ALL, says="is neither in the file nor listed as withheld")
LIE = Lie(tell=tell, edited=FOUND, resigned=FOUND, variants=("agent", "config"))
