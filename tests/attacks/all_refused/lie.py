from __future__ import annotations

from tests.attacks.kit import ALL, Lie, Stands, Status, Step, rows, stale
from tests.support.forge import Forgery, root


def tell(forgery: Forgery) -> None:
    for task, attempt in ALL:
        forgery.end(task, attempt, "refused", "budget_exceeded", after="attempt.begin")
        forgery.result(task, attempt)["observed"]["outputs"] = []
    forgery.recount()
    begun = {"kind": "attempt.begin", "seq": 0}
    for task in forgery.bundle["coordination"]["tasks"]:
        task["root"] = root([forgery.event(task["task_id"], 1, "attempt.begin") | begun])


LIE = Lie(
    tell=tell,
    edited=stale(rows=rows(Status.HASH_MISMATCH, Step.blobs, *ALL)),
    resigned=Stands(passed=0),
)
