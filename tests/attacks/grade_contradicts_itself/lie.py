from __future__ import annotations

from tests.attacks.kit import REFACTOR, Lie, Status, Step, row_lies, rows, stale
from tests.support.forge import Forgery


def tell(forgery: Forgery) -> None:
    results = {result["assertion"]: result for result in forgery.grade(REFACTOR, 2)["results"]}
    results["behaviour"]["outcome"] = "pass"
    match forgery.variant:
        case "test_missing":
            tests = results["behaviour"]["tests"]
            results["behaviour"]["tests"] = [test for test in tests if test["outcome"] == "pass"]
            results["behaviour"]["tests"].pop()
        case "wrong_exit":
            results["own_tests"]["exit"] = 1
    forgery.state(REFACTOR, 2, passed=True)
    forgery.recount()


LIE = Lie(
    tell=tell,
    edited=stale(Step.blobs, rows=rows(Status.HASH_MISMATCH, Step.blobs, (REFACTOR, 2))),
    resigned=row_lies(
        Status.DIVERGED,
        Step.verdicts,
        (REFACTOR, 2),
        says="did not pass|was not reported|outcome pass does not follow from exit 1",
    ),
    variants=("test_failed", "test_missing", "wrong_exit"),
)
