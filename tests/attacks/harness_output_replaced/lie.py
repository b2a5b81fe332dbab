from __future__ import annotations

from tests.attacks.kit import REFACTOR, Caught, Lie, Status, Step, rows, stale
from tests.support.forge import Forgery

STORIES = {
    "nothing_failed": {"assertions": 11, "failed": [], "outcome": "failed"},
    "excused": {"assertions": 11, "cause": "grader_failed", "failed": [], "outcome": "infra_error"},
    "other_assertion": {"assertions": 11, "failed": ["own_tests"], "outcome": "failed"},
    "fewer_assertions": {"assertions": 10, "failed": ["behaviour"], "outcome": "failed"},
}


def tell(forgery: Forgery) -> None:
    forgery.result(REFACTOR, 2)["harness_output"] = STORIES[forgery.variant]


SAYS = r"harness_output does not follow from the evidence \(failed: behaviour\)"
SEEN = rows(Status.DIVERGED, Step.verdicts, (REFACTOR, 2))
LIE = Lie(
    tell=tell,
    edited=stale(rows=SEEN, says=SAYS),
    resigned=Caught(Status.DIVERGED, rows=SEEN, says=SAYS),
    variants=tuple(STORIES),
)
