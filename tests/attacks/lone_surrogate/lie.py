from __future__ import annotations

from tests.attacks.kit import Lie, Step, Unreadable
from tests.support.forge import Forgery, Raw

VALUES = {"high": '"\\ud800"', "low": '"\\udc00"', "wrong_order": '"\\udc00\\ud800"'}


def tell(forgery: Forgery) -> None:
    forgery.bundle["agent"]["name"] = Raw(VALUES[forgery.variant])
    forgery.keep("documents")


REFUSED = Unreadable(Step.canonical, "not JSON|surrogate")
LIE = Lie(tell=tell, edited=REFUSED, resigned=REFUSED, variants=tuple(VALUES))
