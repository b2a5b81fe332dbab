from __future__ import annotations

from tests.attacks.kit import LINT, Lie, Step, Unreadable
from tests.support.forge import Forgery


def tell(forgery: Forgery) -> None:
    match forgery.variant:
        case "harness":
            forgery.bundle["harness"]["name"] = "x" * 1_000_000
        case "agent":
            forgery.bundle["agent"]["name"] = "x" * 1_000_000
        case "python":
            forgery.result(LINT, 1)["observed"]["python"] = "x" * 1_000_000


REFUSED = Unreadable(Step.schema, "length")
LIE = Lie(tell=tell, edited=REFUSED, resigned=REFUSED, variants=("harness", "agent", "python"))
