from __future__ import annotations

from tests.attacks.all_refused.lie import tell as refuse_all
from tests.attacks.kit import ALL, Caught, Lie, Status, Step, rows, stale
from tests.support.forge import Forgery


def tell(forgery: Forgery) -> None:
    rate = forgery.bundle["pass_rate"]
    refuse_all(forgery)
    forgery.bundle["pass_rate"] = rate


LIE = Lie(
    tell=tell,
    edited=stale(rows=rows(Status.HASH_MISMATCH, Step.blobs, *ALL)),
    resigned=Caught(Status.FABRICATED_SCORE, (Step.scores,), says="pass_rate: stated 0.6, the evidence gives 0"),
)
