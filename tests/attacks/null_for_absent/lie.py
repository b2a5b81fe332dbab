from __future__ import annotations

from tests.attacks.kit import Lie, Step, Unreadable
from tests.support.forge import Forgery


def tell(forgery: Forgery) -> None:
    forgery.bundle["partial"] = None


REFUSED = Unreadable(Step.canonical, "null: an absent member is left out")
LIE = Lie(tell=tell, edited=REFUSED, resigned=REFUSED)
