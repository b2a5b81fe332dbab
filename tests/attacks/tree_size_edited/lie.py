from __future__ import annotations

from tests.attacks.kit import FILES, Caught, Lie, Status, Step, row_lies, rows
from tests.support.forge import Forgery


def tell(forgery: Forgery) -> None:
    next(one for one in forgery.workspace(FILES, 1)["records"] if one["path"] == "out/report.csv")["size"] += 1


LIE = Lie(
    tell=tell,
    edited=Caught(Status.DIVERGED, (Step.blobs,), rows(Status.HASH_MISMATCH, Step.blobs, (FILES, 1))),
    resigned=row_lies(Status.HASH_MISMATCH, Step.blobs, (FILES, 1), says="out/report.csv: the tree gives another size"),
)
