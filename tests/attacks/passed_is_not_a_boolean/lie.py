from __future__ import annotations

from tests.attacks.kit import REFACTOR, Lie, Step, Unreadable
from tests.support.forge import Forgery

VALUES = {"one": 1, "string": "true"}


def tell(forgery: Forgery) -> None:
    forgery.result(REFACTOR, 2)["passed"] = VALUES[forgery.variant]


REFUSED = Unreadable(Step.schema, "tallystick/bundle/v1: ")
LIE = Lie(tell=tell, edited=REFUSED, resigned=REFUSED, variants=tuple(VALUES))
