from __future__ import annotations

from tests.attacks.kit import Lie, Step, Unreadable
from tests.support.forge import Forgery

VALUES = {"order": {"attempts": 2, "order": "random"}, "none": {"attempts": 0, "order": "suite"}}


def tell(forgery: Forgery) -> None:
    forgery.bundle["scheduler_config"] = VALUES[forgery.variant]


REFUSED = Unreadable(Step.schema, "scheduler_config")
LIE = Lie(tell=tell, edited=REFUSED, resigned=REFUSED, variants=tuple(VALUES))
