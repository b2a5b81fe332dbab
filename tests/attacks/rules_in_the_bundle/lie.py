from __future__ import annotations

from tests.attacks.kit import Caught, Lie, Status, Step, rows, stale
from tests.support.forge import Forgery
from tests.support.forge_traffic import Tape
from tests.support.recorded import ATTEMPTS


def tell(forgery: Forgery) -> None:
    rule = {"handle": False, "kind": "rename", "name": "all", "pattern": "[a-z]{1,200}"}
    rules = {"_type": "tallystick/rules/v1", "rules": [rule]}
    own = forgery.bundle["agent"]["rules"] = forgery.put_document(rules)
    for task, index in ATTEMPTS:
        Tape(forgery, task, index).document["rules"] = own
    forgery.keep("blobs")


LIE = Lie(
    tell=tell,
    edited=stale(Step.blobs, rows=rows(Status.HASH_MISMATCH, Step.blobs, *ATTEMPTS)),
    resigned=Caught(Status.HASH_MISMATCH, (Step.blobs,), says="is in the file but no receipt names it"),
    base="recorded",
)
