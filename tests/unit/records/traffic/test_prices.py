"""Price tables: which row counts, and what a call costs."""

from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

from tallystick.records.base import write
from tallystick.records.traffic.cassette import Usage
from tallystick.records.traffic.prices import Price, PriceTable, cost_of, parse_prices

TABLE = PriceTable(
    name="test",
    as_of="2026-11-01",
    prices=(
        Price(model="big", input=10, output=50, cache_read=1, cache_write=Decimal("12.5")),
        Price(model="small*", input=1, output=2),
        Price(model="small*", input=2, output=3, above=1000),
        Price(model="small-new*", input=4, output=4),
    ),
)


@pytest.mark.parametrize(
    ("model", "usage", "dollars"),
    [
        ("big", Usage(input=1_000_000, output=0), Fraction(10)),
        ("big", Usage(input=0, output=1), Fraction(50, 1_000_000)),
        ("big", Usage(input=100, output=0, cache_read=60, cache_write=30), Fraction(100 + 60 + 375, 1_000_000)),
        ("big", Usage(input=10, output=0, cache_read=60, cache_write=30), Fraction(10, 1_000_000)),
        ("big-2", Usage(input=1, output=1), None),
        ("small", Usage(input=1000, output=1000), Fraction(3, 1000)),
        ("small-1", Usage(input=1001, output=0, cache_read=1), Fraction(2002, 1_000_000)),
        ("small-new-1", Usage(input=1001, output=0), Fraction(4004, 1_000_000)),
        ("", Usage(input=1, output=1), None),
    ],
)
def test_what_a_call_costs(model: str, usage: Usage, dollars: Fraction | None) -> None:
    assert cost_of(TABLE, model, usage) == dollars


def test_a_table_is_read_as_it_was_written() -> None:
    assert parse_prices(write(TABLE)) == TABLE


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        ([{"model": "a", "input": -1, "output": 0}], "negative"),
        ([{"model": "b", "input": 1, "output": 1}, {"model": "a", "input": 1, "output": 1}], "order"),
        ([{"model": "a", "input": 1, "output": 1}, {"model": "a", "input": 2, "output": 1}], "twice"),
    ],
)
def test_what_is_no_table(rows: list[dict[str, Any]], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        PriceTable(name="x", as_of="2026-01-01", prices=tuple(Price(**row) for row in rows))
