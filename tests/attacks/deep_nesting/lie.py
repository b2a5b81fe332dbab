from __future__ import annotations

from tests.attacks.kit import Lie, Step, Unreadable
from tests.support.forge import Forgery, Raw

DEPTHS = {
    "lists_100000": "[" * 100_000 + "]" * 100_000,
    "objects_100000": '{"a":' * 100_000 + "1" + "}" * 100_000,
    "never_closed": "[" * 100_000,
    "objects_65": '{"a":' * 65 + "1" + "}" * 65,
}


def tell(forgery: Forgery) -> None:
    forgery.bundle["x"] = Raw(DEPTHS[forgery.variant])


REFUSED = Unreadable(Step.canonical, "nested deeper than 64 levels|not JSON")
LIE = Lie(tell=tell, edited=REFUSED, resigned=REFUSED, variants=tuple(DEPTHS))
