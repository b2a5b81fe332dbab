from __future__ import annotations

from tests.attacks.kit import LINT, Lie, Step, Unreadable
from tests.support.forge import Forgery


def tell(forgery: Forgery) -> None:
    forgery.result(LINT, 1)["observed"]["wall_ms"] = -5000


REFUSED = Unreadable(Step.schema, "wall_ms")
LIE = Lie(tell=tell, edited=REFUSED, resigned=REFUSED)
