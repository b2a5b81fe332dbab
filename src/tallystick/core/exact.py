"""Exact arithmetic: verdicts, scores and totals are `Fraction` until they are written down, once."""

from __future__ import annotations

from decimal import ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction

__all__ = ["FRACTION_DIGITS", "MAX_INT", "SIGNIFICANT_DIGITS", "Num", "square_root", "to_fraction", "to_num"]

Num = int | Decimal
"""A number of a C1 document: an `int`, or a `Decimal` with 1 to 6 fractional digits of which the last is not zero."""

FRACTION_DIGITS = 6
SIGNIFICANT_DIGITS = 15
"""Fifteen significant digits survive a round trip through an IEEE 754 double (JavaScript readers)."""

MAX_INT = 2**53 - 1
"""Up to here such a double holds every integer."""

_MAGNITUDES = range(-1000, 100)
"""Powers of ten that a Decimal may have before it is looked at: as a Fraction, `1e999999999` would fill the memory."""

_CONTEXT = Context(prec=60, rounding=ROUND_HALF_EVEN)
_ROOT = Context(prec=50, rounding=ROUND_HALF_EVEN)


def to_num(value: Fraction | Decimal | int) -> Num:
    """Round `value` half-even to six fractional digits and return it in the one form C1 can write.

    Raises:
        ValueError: the number needs more than 15 significant digits, is not finite, or is out of all proportion.
    """
    if isinstance(value, Decimal):
        _check_magnitude(value)
    scaled: int = round(Fraction(value) * 10**FRACTION_DIGITS)  # Python rounds a Fraction half to even
    whole, rest = divmod(abs(scaled), 10**FRACTION_DIGITS)
    if rest == 0:
        if whole > MAX_INT:
            raise ValueError("an integer in a document must be at most 2^53-1 in magnitude")
        return int(whole) if scaled >= 0 else -int(whole)
    number: Decimal = Decimal(scaled).scaleb(-FRACTION_DIGITS, _CONTEXT).normalize(_CONTEXT)
    if len(number.as_tuple().digits) > SIGNIFICANT_DIGITS:
        raise ValueError("a number in a document has at most 15 significant digits")
    return number


def _check_magnitude(value: Decimal) -> None:
    """Raises `ValueError` before anybody computes with a number that cannot be meant."""
    if not value.is_finite():
        raise ValueError("a number in a document must be finite")
    if not (value.adjusted() in _MAGNITUDES and int(value.as_tuple().exponent) in _MAGNITUDES):
        low, high = _MAGNITUDES.start, _MAGNITUDES.stop
        raise ValueError(f"a number in a document lies between 1e{low} and 1e{high} in magnitude, with no more digits")


def square_root(value: Fraction) -> Fraction:
    """The root of a value of 0 or more, to 50 significant digits, so that every platform rounds what follows alike."""
    return Fraction(_ROOT.sqrt(_ROOT.divide(Decimal(value.numerator), Decimal(value.denominator))))


def to_fraction(value: Num) -> Fraction:
    """The exact value of a document's number."""
    return Fraction(value)
