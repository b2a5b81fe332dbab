from __future__ import annotations

from tests.attacks.kit import LINT, Lie, Stands, Status, Step, row_lies, rows, stale
from tests.support.forge import Forgery


def tell(forgery: Forgery) -> None:
    for result in forgery.grade(LINT, 2)["results"]:
        result["outcome"] = "pass"
    output = forgery.result(LINT, 2)["harness_output"]
    output["failed"] = [name for name in output["failed"] if name.endswith("_lines")]


LIE = Lie(
    tell=tell,
    edited=stale(Step.blobs, rows=rows(Status.HASH_MISMATCH, Step.blobs, (LINT, 2))),
    resigned=Stands(passed=6),
    regraded=row_lies(Status.DIVERGED, Step.regrade, (LINT, 2), says="assertion reader_clean was pass, now reader_clean fail"),
)
