from __future__ import annotations

from tests.attacks.kit import LINT, Caught, Lie, Status, Step, rows, stale
from tests.support.forge import Forgery, hashed


def tell(forgery: Forgery) -> None:
    forgery.result(LINT, 1)["task_hash"] = hashed({})


SAYS = "task_hash is .* the suite's task"
SEEN = rows(Status.HASH_MISMATCH, Step.coverage, (LINT, 1))
LIE = Lie(tell=tell, edited=stale(rows=SEEN, says=SAYS), resigned=Caught(Status.DIVERGED, rows=SEEN, says=SAYS))
