"""What tokens cost: a table that is data, and the sum that follows from it."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Annotated, Final

import msgspec

from tallystick.core.exact import to_fraction
from tallystick.records.base import UNSET, Count, Num, Record, Slug, UnsetType, parse
from tallystick.records.traffic.cassette import Usage

__all__ = ["Price", "PriceTable", "cost_of", "parse_prices"]

ROWS: Final = 2000
MILLION: Final = 1_000_000

Model = Annotated[str, msgspec.Meta(pattern=r"^[!-)+-~]{1,128}\*?$(?!\n)")]
"""A model's name, or its beginning and `*`."""
Day = Annotated[str, msgspec.Meta(pattern=r"^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$(?!\n)")]


class Price(Record):
    """US dollars per million tokens, for calls of more than `above` input tokens. Caches cost as `input` unless said."""

    model: Model
    input: Num
    output: Num
    cache_read: Num | UnsetType = UNSET
    cache_write: Num | UnsetType = UNSET
    above: Count = 0

    def __post_init__(self) -> None:
        """No price is negative."""
        if any(price is not UNSET and price < 0 for price in (self.input, self.output, self.cache_read, self.cache_write)):
            raise ValueError(f"a price of {self.model} is negative")


class PriceTable(Record, tag_field="_type", tag="tallystick/prices/v1"):
    """Public list prices as they were on a day."""

    name: Slug
    as_of: Day
    prices: Annotated[tuple[Price, ...], msgspec.Meta(max_length=ROWS)]

    def __post_init__(self) -> None:
        """Rows are in order of model and threshold, and none stands twice."""
        keys = [(price.model, price.above) for price in self.prices]
        if any(one >= other for one, other in pairwise(keys)):
            raise ValueError("the prices are not in order of model and `above`, or one stands twice")


def parse_prices(data: bytes) -> PriceTable:
    """Read a price table; errors as `records.base.parse`."""
    return parse(data, PriceTable)


def cost_of(table: PriceTable, model: str, usage: Usage) -> Fraction | None:
    """US dollars of one call; None where the table does not know the model."""
    price = _row(table, model, usage.input)
    if price is None:
        return None
    read, write = min(usage.cache_read, usage.input), min(usage.cache_write, max(0, usage.input - usage.cache_read))
    millionths = (
        (usage.input - read - write) * to_fraction(price.input)
        + read * to_fraction(price.input if price.cache_read is UNSET else price.cache_read)
        + write * to_fraction(price.input if price.cache_write is UNSET else price.cache_write)
        + usage.output * to_fraction(price.output)
    )
    return millionths / MILLION


def _row(table: PriceTable, model: str, asked: int) -> Price | None:
    """The row of the model's own name, else of its longest known beginning; of those the highest threshold it is above."""
    rows = [price for price in table.prices if _fits(price.model, model) and (price.above == 0 or asked > price.above)]
    return max(rows, key=lambda price: (price.model == model, len(price.model), price.above), default=None)


def _fits(pattern: str, model: str) -> bool:
    return model.startswith(pattern[:-1]) if pattern.endswith("*") else model == pattern
