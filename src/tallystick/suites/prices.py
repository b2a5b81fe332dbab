"""Price tables: those that came with tally by name, a reader's own by path."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from tallystick.core import limits
from tallystick.core.errors import InputError, os_reason
from tallystick.records.traffic.prices import PriceTable, parse_prices
from tallystick.suites.reading import open_regular

__all__ = ["DEFAULT_PRICES", "load_prices", "price_names"]

_PACKAGED: Final = Path(__file__).parent / "packaged_prices"

DEFAULT_PRICES: Final = "prices-2026-11"
"""The table that is used where none is named."""


def price_names() -> tuple[str, ...]:
    """Names of the tables that came with tally, sorted."""
    return tuple(sorted(path.stem for path in _PACKAGED.glob("*.json")))


def load_prices(name: str | None = None) -> PriceTable:
    """The table of a packaged name, or of a file; without `name`, `DEFAULT_PRICES`.

    Raises:
        InputError: there is none, or it is no price table.
    """
    name = name or DEFAULT_PRICES
    path = _PACKAGED / f"{name}.json" if name in price_names() else Path(name)
    try:
        with open_regular(path) as stream:
            data = stream.read(limits.DOCUMENT_BYTES + 1)
    except FileNotFoundError:
        raise InputError(f"{name}: no price table of that name or path; packaged: {', '.join(price_names())}") from None
    except OSError as error:
        raise InputError(f"{name}: {os_reason(error)}") from None
    try:
        return parse_prices(data)
    except InputError as error:
        raise InputError(f"{name}: {error}") from None
