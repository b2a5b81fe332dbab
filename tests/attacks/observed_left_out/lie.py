from __future__ import annotations

from tests.attacks.kit import GEN, Lie, Stands, stale
from tests.support.forge import Forgery


def tell(forgery: Forgery) -> None:
    del forgery.result(GEN, 2)["observed"]
    forgery.recount()
    assert "cost_usd" not in forgery.bundle["totals"]
    assert forgery.bundle["components"]["reliability"] < 1


LIE = Lie(tell=tell, edited=stale(), resigned=Stands(passed=6))
