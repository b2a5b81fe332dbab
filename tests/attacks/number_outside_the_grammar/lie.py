from __future__ import annotations

from tests.attacks.kit import REFACTOR, Lie, Step, Unreadable
from tests.support.forge import Forgery, Raw

NUMBERS = {
    "nan": "NaN",
    "infinity": "Infinity",
    "minus_zero": "-0",
    "decimal_minus_zero": "-0.0",
    "overflow": "1e400",
    "exponent": "1e0",
    "point_zero": "1.0",
    "trailing_zero": "0.50",
    "seven_decimals": "0.1234567",
    "beyond_2_53": "9007199254740992",
    "leading_zero": "01",
    "sixteen_digits": "9007199254740.1234",
    "hundred_thousand_digits": "1" * 100_000,
    "long_decimal": "0." + "1" * 100_000,
}


def tell(forgery: Forgery) -> None:
    forgery.result(REFACTOR, 2)["score"] = Raw(NUMBERS[forgery.variant])


REFUSED = Unreadable(Step.canonical, "")
LIE = Lie(tell=tell, edited=REFUSED, resigned=REFUSED, variants=tuple(NUMBERS))
