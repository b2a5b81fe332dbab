"""Totals, fees and limits of records."""

from fractions import Fraction

from @{pkg}.amounts import exact, half_away, half_even, towards_zero
from @{pkg}.keys import key


def totals(records):
    """The total of each @{unit}, in parts."""
    found = {}
    for record in records:
        found[record["@{unit}"]] = found.get(record["@{unit}"], 0) + record["@{parts}"]
    return found


def fees(records, permille):
    """The fee of each @{unit} in parts: a share of every record, rounded."""
    found = {}
    for record in records:
        fee = @{fee_function}(Fraction(record["@{parts}"] * permille, 1000))
        found[record["@{unit}"]] = found.get(record["@{unit}"], 0) + fee
    return found


def over(records, limits):
    """Keys of the records over the limit of their @{unit}, in order."""
    return [
        key(record)
        for record in records
        if record["@{unit}"] in limits
        and abs(record["@{parts}"]) @{limit_sign} exact(limits[record["@{unit}"]], record["@{unit}"])
    ]
