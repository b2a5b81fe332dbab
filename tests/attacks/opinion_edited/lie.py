from __future__ import annotations

from tests.attacks.kit import Lie, Status, Step, row_lies, stale
from tests.support.forge import Forgery
from tests.support.judged import CLAMP, HURRIED


def tell(forgery: Forgery) -> None:
    opinion = forgery.result(CLAMP, HURRIED)["opinion"]
    match forgery.variant:
        case "scores":
            opinion["scores"]["style"] = 5
        case "model":
            opinion["model"] = "a-better-one"
        case "tokens":
            opinion["output_tokens"] = 0
        case "rubric":
            opinion["rubric"] = forgery.bundle["suite_hash"]


FOUND = row_lies(
    Status.FABRICATED_SCORE,
    Step.verdicts,
    (CLAMP, HURRIED),
    says="not those of (the recorded answer|its interview)|does not ask about these files|another rubric",
)
LIE = Lie(
    tell=tell,
    edited=stale(rows=FOUND.rows),
    resigned=FOUND,
    variants=("scores", "model", "tokens", "rubric"),
    base="judged",
)
