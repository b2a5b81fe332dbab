from __future__ import annotations

from tallystick.suites.loading import load_suite
from tests.attacks.kit import ALL, DOC, Caught, Lie, Status, Step, rows, stale
from tests.attacks.limits_eased.lie import eased
from tests.support.forge import Forgery, hashed


def tell(forgery: Forgery) -> None:
    honest, other = eased()
    forgery.rename(honest, other)
    hashes = [other if task.task_hash == honest else task.task_hash for task in load_suite("golden-v1").tasks]
    suite = hashed({"_type": "tallystick/suite-id/v1", "tasks": hashes})
    forgery.rename(forgery.bundle["suite_hash"], suite)
    forgery.bundle["suite_hash"] = suite


SEEN = rows(Status.HASH_MISMATCH, Step.coverage, (DOC, 1), (DOC, 2))
EDITED = rows(Status.HASH_MISMATCH, Step.blobs, *(key for key in ALL if key[0] != DOC))
LIE = Lie(
    tell=tell,
    edited=stale(Step.suite, Step.blobs, rows={**EDITED, **SEEN}),
    resigned=Caught(Status.HASH_MISMATCH, (Step.suite,), SEEN, says="the bundle is about suite "),
)
