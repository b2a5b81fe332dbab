from __future__ import annotations

from tests.attacks.kit import REFACTOR, Caught, Lie, Status, Step, row_lies, rows
from tests.support.forge import Forgery


def tell(forgery: Forgery) -> None:
    forgery.grade(REFACTOR, 2)["mode"] = forgery.variant


LIE = Lie(
    tell=tell,
    edited=Caught(Status.DIVERGED, (Step.blobs,), rows(Status.HASH_MISMATCH, Step.blobs, (REFACTOR, 2))),
    resigned=row_lies(Status.DIVERGED, Step.verdicts, (REFACTOR, 2), says="the task asks for separate"),
    variants=("in_process", "none"),
)
