"""What others send, as records."""

from decimal import Decimal


def from_counter(text):
    """Lines `day;@{who};@{unit};1.234,5`."""
    records = []
    for line in text.splitlines():
        day, who, unit, amount = line.split(";")
        amount = Decimal(amount.replace(".", "").replace(",", "."))
        records.append({"day": day, "@{who}": who, "@{unit}": unit, "@{amount}": amount})
    return records


def from_@{carrier}(text):
    """Lines `@{unit},day,@{who},123450`, the amount in @{carrier_parts}."""
    records = []
    for line in text.splitlines():
        unit, day, who, amount = line.split(",")
        amount = Decimal(amount).scaleb(-@{carrier_scale})
        records.append({"day": day, "@{who}": who, "@{unit}": unit, "@{amount}": amount})
    return records
