"""What others send, as records."""

from fractions import Fraction

from @{pkg}.amounts import from_text, scale


def from_counter(text):
    """Lines `day;@{who};@{unit};1.234,5`."""
    records = []
    for line in text.splitlines():
        day, who, unit, amount = line.split(";")
        parts = from_text(amount.replace(".", "").replace(",", "."), unit)
        records.append({"day": day, "@{who}": who, "@{unit}": unit, "@{parts}": parts})
    return records


def from_@{carrier}(text):
    """Lines `@{unit},day,@{who},123450`, the amount in @{carrier_parts}."""
    records = []
    for line in text.splitlines():
        unit, day, who, amount = line.split(",")
        parts = int(Fraction(int(amount), 10**@{carrier_scale}) * scale(unit))
        records.append({"day": day, "@{who}": who, "@{unit}": unit, "@{parts}": parts})
    return records
