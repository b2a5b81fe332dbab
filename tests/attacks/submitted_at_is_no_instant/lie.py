from __future__ import annotations

from decimal import Decimal

from tests.attacks.kit import Lie, Step, Unreadable
from tests.support.forge import Forgery

VALUES = {"word": "yesterday", "date": "2026-01-01T00:00:00Z", "fraction": Decimal("1790000000.5"), "negative": -1}


def tell(forgery: Forgery) -> None:
    forgery.bundle["submitted_at"] = VALUES[forgery.variant]


REFUSED = Unreadable(Step.schema, "submitted_at|wrong type")
LIE = Lie(tell=tell, edited=REFUSED, resigned=REFUSED, variants=tuple(VALUES))
