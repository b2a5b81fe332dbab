from __future__ import annotations

from tests.attacks.kit import Lie, Step, Unreadable
from tests.support.forge import Forgery


def tell(forgery: Forgery) -> None:
    forgery.bundle["suite_version"] = "golden-v999"


REFUSED = Unreadable(Step.suite, "the suite golden-v999, which does not come with tally")
LIE = Lie(tell=tell, edited=REFUSED, resigned=REFUSED, names_suite=False)
