from __future__ import annotations

from tests.attacks.kit import REFACTOR, Lie, Step, Unreadable
from tests.support.forge import Forgery

VALUES = {"nan_string": "NaN", "one_string": "1", "true": True, "object": {"num": 1}}


def tell(forgery: Forgery) -> None:
    forgery.result(REFACTOR, 2)["score"] = VALUES[forgery.variant]


REFUSED = Unreadable(Step.schema, "tallystick/bundle/v1: ")
LIE = Lie(tell=tell, edited=REFUSED, resigned=REFUSED, variants=tuple(VALUES))
