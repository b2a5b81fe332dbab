from __future__ import annotations

from tests.attacks.kit import REFACTOR, Lie, Step, Unreadable
from tests.support.forge import Forgery, Twin


def tell(forgery: Forgery) -> None:
    match forgery.variant:
        case "passed":
            forgery.result(REFACTOR, 2)[Twin("passed")] = True
        case "same_value":
            forgery.result(REFACTOR, 2)[Twin("passed")] = False
        case "totals":
            forgery.bundle[Twin("totals")] = {**forgery.bundle["totals"], "passed": 10}
        case "task_results":
            forgery.bundle[Twin("task_results")] = []
        case "signature":
            forgery.bundle[Twin("signature")] = ""


REFUSED = Unreadable(Step.canonical, "not canonical")
LIE = Lie(
    tell=tell,
    edited=REFUSED,
    resigned=REFUSED,
    variants=("passed", "same_value", "totals", "task_results", "signature"),
)
