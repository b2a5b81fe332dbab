"""Decimal places of each @{unit}."""

PLACES = @{places}
