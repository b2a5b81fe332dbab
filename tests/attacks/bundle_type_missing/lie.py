from __future__ import annotations

from tests.attacks.kit import Lie, Step, Unreadable
from tests.support.forge import Forgery

TYPES = {
    "receipt": "tallystick/receipt/v1",
    "unversioned": "tallystick/bundle",
    "newer": "tallystick/bundle/v2",
    "foreign": "bernstein/bundle/v1",
    "number": 1,
}


def tell(forgery: Forgery) -> None:
    if forgery.variant == "missing":
        del forgery.bundle["_type"]
    else:
        forgery.bundle["_type"] = TYPES[forgery.variant]


REFUSED = Unreadable(Step.schema, "_type is missing|expected tallystick/bundle/v1, found|made by a newer tally")
LIE = Lie(tell=tell, edited=REFUSED, resigned=REFUSED, variants=("missing", *TYPES))
