from __future__ import annotations

from tests.attacks.kit import DOC, FILES, LINT, REFACTOR, Caught, Lie, Status, Step, rows, stale
from tests.support.forge import Forgery

FAILED = ((FILES, 1), (REFACTOR, 2), (LINT, 2), (DOC, 2))


def tell(forgery: Forgery) -> None:
    forgery.bundle["task_results"] = [one for one in forgery.results if one["passed"]]
    forgery.recount()


SEEN = rows(Status.COVERAGE_MISMATCH, Step.coverage, *FAILED)
LIE = Lie(
    tell=tell,
    edited=stale(Step.coverage, rows=SEEN),
    resigned=Caught(Status.COVERAGE_MISMATCH, (Step.coverage,), SEEN, says="not 5 tasks x 2 attempts|are not 5 tasks x 2"),
)
