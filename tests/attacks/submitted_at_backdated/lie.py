from __future__ import annotations

from tests.attacks.kit import Lie, Stands, stale
from tests.support.forge import Forgery


def tell(forgery: Forgery) -> None:
    forgery.bundle["submitted_at"] -= 365 * 86_400


LIE = Lie(tell=tell, edited=stale(), resigned=Stands(passed=6))
