from __future__ import annotations

from tests.attacks.kit import GEN, Lie, Stands, stale
from tests.support.forge import Forgery, copied


def tell(forgery: Forgery) -> None:
    result = forgery.result(GEN, 1)
    result["tries"] = [copied(result["tries"][0]) for _ in range(3)]


LIE = Lie(tell=tell, edited=stale(), resigned=Stands(passed=6))
