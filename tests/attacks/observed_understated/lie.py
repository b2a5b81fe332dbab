from __future__ import annotations

from tests.attacks.kit import Lie, Stands, stale
from tests.support.forge import Forgery


def tell(forgery: Forgery) -> None:
    for result in forgery.results:
        result["observed"]["wall_ms"] = 1
    forgery.recount()


LIE = Lie(tell=tell, edited=stale(), resigned=Stands(passed=6))
