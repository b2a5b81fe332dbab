from __future__ import annotations

from tests.attacks.kit import Lie, Status, Step, row_lies, rows, stale
from tests.support.forge import Forgery
from tests.support.recorded import WRITE


def tell(forgery: Forgery) -> None:
    forgery.end(WRITE, 2, "infra_error", "provider_failed", after="workspace.sealed")
    forgery.result(WRITE, 2)["observed"]["outputs"] = []
    forgery.recount()


LIE = Lie(
    tell=tell,
    edited=stale(rows=rows(Status.HASH_MISMATCH, Step.blobs, (WRITE, 2))),
    resigned=row_lies(
        Status.MALFORMED_RECEIPT, Step.journals, (WRITE, 2), says="its last call to a model did not fail by the provider"
    ),
    base="recorded",
)
