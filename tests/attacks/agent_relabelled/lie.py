from __future__ import annotations

from tests.attacks.kit import ALL, Lie, Stands, Status, Step, rows, stale
from tests.support.forge import Forgery, hashed, root

EMPTY = hashed({"_type": "tallystick/tree/v1", "records": []})
AGENT = {
    "_type": "tallystick/agent/v1",
    "adapter": "command",
    "argv": ["frontier", "--yes"],
    "home": EMPTY,
    "name": "frontier-9",
    "program": EMPTY,
    "self_test": False,
}


def tell(forgery: Forgery) -> None:
    forgery.bundle["agent"] = dict(AGENT)
    for task, attempt in ALL:
        forgery.event(task, attempt, "agent.start")["adapter"] = "command"
    for task in forgery.bundle["coordination"]["tasks"]:
        events = [forgery.event(task["task_id"], 1, kind) for kind in ("attempt.begin", "agent.start")]
        task["root"] = root(events)


LIE = Lie(
    tell=tell,
    edited=stale(rows=rows(Status.HASH_MISMATCH, Step.blobs, *ALL)),
    resigned=Stands(passed=6, references=7),
)
