from __future__ import annotations

from tests.attacks.kit import REFACTOR, Lie, Status, Step, row_lies, rows, stale
from tests.support.forge import Forgery


def tell(forgery: Forgery) -> None:
    results = forgery.grade(REFACTOR, 2)["results"]
    match forgery.variant:
        case "left_out":
            del results[-1]
        case "renamed":
            results[-1]["assertion"] = "own_tests_again"
        case "reordered":
            results.reverse()
        case "added":
            results.append({"assertion": "bonus", "outcome": "pass"})
    forgery.state(REFACTOR, 2, passed=True)
    forgery.recount()


LIE = Lie(
    tell=tell,
    edited=stale(Step.blobs, rows=rows(Status.HASH_MISMATCH, Step.blobs, (REFACTOR, 2))),
    resigned=row_lies(Status.DIVERGED, Step.verdicts, (REFACTOR, 2), says=r"the grade speaks of \["),
    variants=("left_out", "renamed", "reordered", "added"),
)
