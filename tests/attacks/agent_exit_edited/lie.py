from __future__ import annotations

from tests.attacks.kit import LINT, Lie, Stands, receipt_broken
from tests.support.forge import Forgery


def tell(forgery: Forgery) -> None:
    forgery.event(LINT, 1, "agent.end")["exit"] = 3


LIE = Lie(tell=tell, edited=receipt_broken((LINT, 1)), resigned=Stands(passed=6))
