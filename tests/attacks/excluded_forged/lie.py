from __future__ import annotations

from tests.attacks.kit import REFACTOR, Caught, Lie, Status, Step, row_lies, rows
from tests.support.forge import Forgery


def tell(forgery: Forgery) -> None:
    grade = forgery.grade(REFACTOR, 2)
    match forgery.variant:
        case "excluded":
            grade["excluded"] = [{"path": "ledger/accounts.py", "reason": "protected"}]
        case "graded":
            grade["graded"] = forgery.put_document({"_type": "tallystick/tree/v1", "records": []})


LIE = Lie(
    tell=tell,
    edited=Caught(Status.DIVERGED, (Step.blobs,), rows(Status.HASH_MISMATCH, Step.blobs, (REFACTOR, 2))),
    resigned=row_lies(
        Status.DIVERGED, Step.verdicts, (REFACTOR, 2), says="the grade workspace is not the base plus the changes"
    ),
    variants=("excluded", "graded"),
)
