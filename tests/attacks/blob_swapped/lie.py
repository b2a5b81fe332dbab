from __future__ import annotations

from tests.attacks.kit import FILES, Caught, Lie, Status, Step, rows
from tests.support.forge import Forgery


def tell(forgery: Forgery) -> None:
    files = [
        next(record for record in forgery.workspace(FILES, attempt)["records"] if record["path"] == "out/report.csv")["digest"]
        for attempt in (1, 2)
    ]
    forgery.blobs[files[0]] = forgery.blobs[files[1]]


FOUND = Caught(
    Status.DIVERGED, (Step.blobs,), rows(Status.HASH_MISMATCH, Step.blobs, (FILES, 1)), says="its bytes were changed"
)
LIE = Lie(tell=tell, edited=FOUND, resigned=FOUND)
