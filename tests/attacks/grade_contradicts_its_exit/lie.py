from __future__ import annotations

from tests.attacks.kit import REFACTOR, Caught, Lie, Status, Step, row_lies, rows
from tests.support.forge import Forgery


def tell(forgery: Forgery) -> None:
    own_tests = next(one for one in forgery.grade(REFACTOR, 2)["results"] if one["assertion"] == "own_tests")
    assert own_tests["outcome"] == "pass"
    if forgery.variant == "wrong_exit":
        own_tests["exit"] = 1
    else:
        del own_tests["exit"]


LIE = Lie(
    tell=tell,
    edited=Caught(Status.DIVERGED, (Step.blobs,), rows(Status.HASH_MISMATCH, Step.blobs, (REFACTOR, 2))),
    resigned=row_lies(Status.DIVERGED, Step.verdicts, (REFACTOR, 2), says="outcome pass does not follow from (exit 1|no exit)"),
    variants=("wrong_exit", "no_exit"),
)
