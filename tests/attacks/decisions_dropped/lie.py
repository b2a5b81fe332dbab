from __future__ import annotations

from tests.attacks.kit import Lie, Status, Step, recorded, row_lies, rows, stale
from tests.support.forge import Forgery, root
from tests.support.recorded import ATTEMPTS


def tell(forgery: Forgery) -> None:
    for task, index in ATTEMPTS:
        receipt = forgery.receipt(task, index)
        events = [event for event in receipt["events"] if event["kind"] != "orchestrator.decision"]
        receipt["events"] = [event | {"seq": seq} for seq, event in enumerate(events)]
    for task in forgery.bundle["coordination"]["tasks"]:
        task["root"] = root(forgery.receipt(task["task_id"])["events"][:2])


LIE = Lie(
    tell=tell,
    edited=stale(rows=rows(Status.HASH_MISMATCH, Step.blobs, *ATTEMPTS)),
    resigned=recorded(),
    replayed=row_lies(Status.DIVERGED, Step.replay, *ATTEMPTS, says="now orchestrator.decision"),
    base="recorded",
)
