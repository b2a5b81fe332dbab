from __future__ import annotations

from tests.attacks.kit import DOC, FILES, LINT, REFACTOR, Caught, Lie, Status, Step, rows, stale
from tests.support.forge import Forgery

FAILED = ((FILES, 1), (REFACTOR, 2), (LINT, 2), (DOC, 2))


def tell(forgery: Forgery) -> None:
    for task, attempt in FAILED:
        forgery.state(task, attempt, passed=True)
    forgery.recount()


SEEN = rows(Status.FABRICATED_SCORE, Step.verdicts, *FAILED)
LIE = Lie(tell=tell, edited=stale(Step.scores, rows=SEEN), resigned=Caught(Status.DIVERGED, (Step.scores,), SEEN))
