"""Rounding happens once, half to even, at six digits, and refuses what no document can hold."""

from decimal import Decimal
from fractions import Fraction

import pytest

from tallystick.core import c1
from tallystick.core.exact import Num, square_root, to_fraction, to_num

ROUNDED: dict[Fraction | Decimal | int, Num] = {
    Fraction(1, 3): Decimal("0.333333"),
    Fraction(2, 3): Decimal("0.666667"),
    Fraction(-1, 3): Decimal("-0.333333"),
    Fraction(1, 2): Decimal("0.5"),
    Fraction(6, 3): 2,
    Fraction(25, 10_000_000): Decimal("0.000002"),  # 2.5 units: to the even 2
    Fraction(35, 10_000_000): Decimal("0.000004"),  # 3.5 units: to the even 4
    Fraction(-25, 10_000_000): Decimal("-0.000002"),
    Fraction(5, 10_000_000): 0,  # half a unit: to the even 0
    Fraction(-5, 10_000_000): 0,  # and never -0
    Fraction(9_999_999, 10_000_000): 1,
    Decimal("0.10"): Decimal("0.1"),
    Decimal("1E+3"): 1000,
    Decimal("-0"): 0,
    Decimal("999999999.999999"): Decimal("999999999.999999"),
    2**53 - 1: 2**53 - 1,
    0: 0,
}


@pytest.mark.parametrize(("value", "expected"), ROUNDED.items(), ids=str)
def test_rounded(value: Fraction | Decimal | int, expected: Num) -> None:
    number = to_num(value)
    assert number == expected
    assert type(number) is type(expected)
    assert str(number) == str(expected)
    assert c1.loads(c1.dumps(number)) == expected


@pytest.mark.parametrize(
    "value",
    [
        Decimal("NaN"),
        Decimal("sNaN"),
        Decimal("-Infinity"),
        2**53,
        -(2**53),
        Fraction(10**16),
        Decimal("1234567890.123456"),  # 16 digits
        Decimal("1000000000.000001"),
        Decimal("1e999999999"),  # as a Fraction it would take gigabytes
        Decimal("-1e999999999"),
        Decimal("1e-999999999"),
        Decimal("0e999999999"),
        Decimal("0e-999999999"),
    ],
    ids=str,
)
def test_refused(value: Fraction | Decimal | int) -> None:
    with pytest.raises(ValueError, match="in a document"):
        to_num(value)


def test_fifteen_digits_pass() -> None:
    assert to_num(Decimal("123456789.123456")) == Decimal("123456789.123456")
    assert to_num(Decimal("12345678901234.5")) == Decimal("12345678901234.5")


def test_the_exact_value_comes_back() -> None:
    assert to_fraction(Decimal("0.1")) == Fraction(1, 10)
    assert to_fraction(3) == 3


def test_a_root_has_fifty_digits_and_that_of_a_square_is_exact() -> None:
    assert square_root(Fraction(49, 16)) == Fraction(7, 4)
    assert square_root(Fraction(0)) == 0
    assert abs(square_root(Fraction(2)) ** 2 - 2) < Fraction(1, 10**48)
