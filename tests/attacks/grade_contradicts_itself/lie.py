from __future__ import annotations

from tests.attacks.kit import REFACTOR, Lie, Status, Step, row_lies, rows, stale
from tests.support.forge import Forgery


def tell(forgery: Forgery) -> None:
    behaviour = next(one for one in forgery.grade(REFACTOR, 2)["results"] if one["assertion"] == "behaviour")
    behaviour["outcome"] = "pass"
    if forgery.variant == "test_missing":
        behaviour["tests"] = [test for test in behaviour["tests"] if test["outcome"] == "pass"]
    forgery.state(REFACTOR, 2, passed=True)
    forgery.recount()


LIE = Lie(
    tell=tell,
    edited=stale(Step.blobs, rows=rows(Status.HASH_MISMATCH, Step.blobs, (REFACTOR, 2))),
    resigned=row_lies(
        Status.DIVERGED,
        Step.verdicts,
        (REFACTOR, 2),
        says="outcome pass, but the test .* (did not pass|was not reported)",
    ),
    variants=("test_failed", "test_missing"),
)
