"""Numbers, exactly."""

import re
from fractions import Fraction

NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?")


def parse(text):
    """The number of a text, or None."""
    return Fraction(text) if NUMBER.fullmatch(text) else None


def show(figure, measure):
    """A figure as it is printed."""
    if measure == "count":
        return str(figure)
    scaled = abs(Fraction(figure)) * 10**@{digits}
    whole, part = divmod(scaled.numerator, scaled.denominator)
    part = Fraction(part, scaled.denominator)
    whole += @{round_up}
    sign = "-" if figure < 0 and whole else ""
    return f"{sign}{whole // 10**@{digits}}.{whole % 10**@{digits}:0@{digits}}"
