from __future__ import annotations

from tests.attacks.kit import ALL, Lie, Stands, Status, Step, rows, stale
from tests.support.forge import Forgery


def tell(forgery: Forgery) -> None:
    best = {one["task_id"]: one for one in sorted(forgery.results, key=lambda one: one["passed"])}
    forgery.bundle["task_results"] = [best[task] for task in dict.fromkeys(task for task, _ in ALL)]
    for result in forgery.results:
        result["attempt"] = {"index": 1, "of": 1}
        result["receipt"]["attempt"] = {"index": 1, "of": 1}
        result["tries"] = []
    forgery.bundle["scheduler_config"]["attempts"] = 1
    forgery.recount()


LIE = Lie(
    tell=tell,
    edited=stale(rows=rows(Status.HASH_MISMATCH, Step.blobs, *(key for key in ALL if key[1] == 1))),
    resigned=Stands(passed=5, attempts=5),
    regraded=Stands(passed=5, attempts=5, level="regraded"),
)
