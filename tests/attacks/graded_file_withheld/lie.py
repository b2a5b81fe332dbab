from __future__ import annotations

from tests.attacks.kit import REFACTOR, Caught, Lie, Status, Step, rows, stale
from tests.support.forge import Forgery


def tell(forgery: Forgery) -> None:
    for result in forgery.grade(REFACTOR, 2)["results"]:
        result["outcome"] = "pass"
        for test in result.get("tests", ()):
            test["outcome"] = "pass"
    records = {record["path"]: record for record in forgery.workspace(REFACTOR, 2)["records"]}
    digest = records["ledger/entries.py"]["digest"]
    del forgery.blobs[digest]
    forgery.bundle["withheld"] = [digest]
    forgery.keep("documents", "blobs")
    forgery.state(REFACTOR, 2, passed=True)
    forgery.recount()


# Attempt 1 left the same file, so its grade cannot be compared either.
OTHER = rows(Status.WITHHELD, Step.verdicts, (REFACTOR, 1))
LIE = Lie(
    tell=tell,
    edited=stale(Step.blobs, rows=OTHER | rows(Status.HASH_MISMATCH, Step.blobs, (REFACTOR, 2))),
    resigned=Caught(
        Status.WITHHELD,
        rows=OTHER | rows(Status.WITHHELD, Step.verdicts, (REFACTOR, 2)),
        says="which the task's graders look at",
        level="intact",
    ),
)
