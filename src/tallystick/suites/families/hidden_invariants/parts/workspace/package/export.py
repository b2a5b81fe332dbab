"""The partner's file."""

from @{pkg}.keys import key
from @{pkg}.units import PLACES


def export(records):
    """One line per record."""
    return "".join(_line(record) for record in records)


def _line(record):
    amount = f"{abs(record['@{amount}']):.{PLACES[record['@{unit}']]}f}"
    below = record["@{amount}"] < 0
    @{export_code}
    return f"{key(record)};{record['day']};{amount} {record['@{unit}']}\n"
