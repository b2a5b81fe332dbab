"""Whole parts of a @{unit}, and how they are written."""

from decimal import Decimal
from fractions import Fraction

from @{pkg}.units import PLACES


def half_even(value):
    return round(value)


def half_away(value):
    whole = int(abs(value) + Fraction(1, 2))
    return -whole if value < 0 else whole


def towards_zero(value):
    return int(value)


def scale(unit):
    return 10 ** PLACES[unit]


def exact(text, unit):
    """Parts of a decimal text, not rounded."""
    return Fraction(text) * scale(unit)


def from_text(text, unit):
    return @{old_function}(exact(text, unit))


def full(parts, unit):
    """The amount with all places."""
    return f"{Decimal(parts).scaleb(-PLACES[unit]):.{PLACES[unit]}f}"


def short(parts, unit):
    """The amount without needless zeros."""
    text = full(parts, unit)
    return text.rstrip("0").rstrip(".") if "." in text else text
