from __future__ import annotations

from tests.attacks.kit import Lie, Status, Step, recorded, rows, stale
from tests.support.forge import Forgery
from tests.support.recorded import ATTEMPTS


def tell(forgery: Forgery) -> None:
    forgery.bundle["config"]["recording"] = "none"
    for task, index in ATTEMPTS:
        receipt = forgery.receipt(task, index)
        receipt["spine"] = [link for link in receipt["spine"] if link["role"] != "cassette"]
        observed = forgery.result(task, index)["observed"]
        observed["cost_usd"] = 0
        del observed["input_tokens"], observed["output_tokens"]
    forgery.recount()


LIE = Lie(
    tell=tell,
    edited=stale(rows=rows(Status.HASH_MISMATCH, Step.blobs, *ATTEMPTS)),
    resigned=recorded(says="tokens and cost are declared"),
    replayed=recorded(level="regraded", says="this bundle carries no recorded answers"),
    base="recorded",
)
