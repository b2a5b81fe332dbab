from __future__ import annotations

import msgspec

from tallystick.records.task import hash_task
from tallystick.suites.loading import load_suite
from tests.attacks.kit import DOC, Caught, Lie, Status, Step, rows, stale
from tests.support.forge import Forgery


def eased() -> tuple[str, str]:
    """The hash of the suite's task, and of the same task with other limits."""
    task = load_suite("golden-v1").task(DOC)
    limits = msgspec.structs.replace(task.limits, wall_ms=10 * task.limits.wall_ms, output_kb=10 * task.limits.output_kb)
    return task.task_hash, hash_task(msgspec.structs.replace(task, limits=limits))


def tell(forgery: Forgery) -> None:
    forgery.rename(*eased())


SAYS = r"the suite's task \(with its limits\)"
SEEN = rows(Status.HASH_MISMATCH, Step.coverage, (DOC, 1), (DOC, 2))
LIE = Lie(
    tell=tell,
    edited=stale(Step.blobs, rows=SEEN, says=SAYS),
    resigned=Caught(Status.DIVERGED, rows=SEEN, says=SAYS),
)
