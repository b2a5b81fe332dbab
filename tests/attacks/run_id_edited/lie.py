from __future__ import annotations

from tests.attacks.kit import LINT, Lie, Status, Step, receipt_broken, row_lies
from tests.support.forge import Forgery, hashed


def tell(forgery: Forgery) -> None:
    forgery.receipt(LINT, 1)["run_id"] = hashed({})


LIE = Lie(
    tell=tell,
    edited=receipt_broken((LINT, 1)),
    resigned=row_lies(Status.HASH_MISMATCH, Step.spines, (LINT, 1), says="run_id is "),
)
