"""Totals, fees and limits of records."""

from decimal import @{fee_mode}, Decimal

from @{pkg}.keys import key
from @{pkg}.units import PLACES


def totals(records):
    """The total of each @{unit}."""
    found = {}
    for record in records:
        found[record["@{unit}"]] = found.get(record["@{unit}"], 0) + record["@{amount}"]
    return found


def fees(records, permille):
    """The fee of each @{unit}: a share of every record, rounded."""
    found = {}
    for record in records:
        part = Decimal(1).scaleb(-PLACES[record["@{unit}"]])
        fee = (record["@{amount}"] * permille / 1000).quantize(part, @{fee_mode})
        found[record["@{unit}"]] = found.get(record["@{unit}"], 0) + fee
    return found


def over(records, limits):
    """Keys of the records over the limit of their @{unit}, in order."""
    return [
        key(record)
        for record in records
        if record["@{unit}"] in limits and abs(record["@{amount}"]) @{limit_sign} Decimal(limits[record["@{unit}"]])
    ]
