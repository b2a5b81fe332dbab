from __future__ import annotations

from tests.attacks.kit import GEN, Lie, Stands, stale
from tests.support.forge import Forgery


def tell(forgery: Forgery) -> None:
    forgery.result(GEN, 1)["tries"] = []


LIE = Lie(tell=tell, edited=stale(), resigned=Stands(passed=6))
