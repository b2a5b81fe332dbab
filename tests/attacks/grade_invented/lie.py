from __future__ import annotations

from tests.attacks.kit import REFACTOR, Lie, Stands, Status, Step, row_lies, rows, stale
from tests.support.forge import Forgery


def tell(forgery: Forgery) -> None:
    for result in forgery.grade(REFACTOR, 2)["results"]:
        result["outcome"] = "pass"
        for test in result.get("tests", ()):
            test["outcome"] = "pass"
    forgery.state(REFACTOR, 2, passed=True)
    forgery.recount()


LIE = Lie(
    tell=tell,
    edited=stale(Step.blobs, rows=rows(Status.HASH_MISMATCH, Step.blobs, (REFACTOR, 2))),
    resigned=Stands(passed=7),
    regraded=row_lies(
        Status.DIVERGED, Step.regrade, (REFACTOR, 2), says="graded again: assertion behaviour was pass, now behaviour fail"
    ),
)
