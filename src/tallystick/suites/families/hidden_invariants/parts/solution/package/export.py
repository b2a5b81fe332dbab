"""The partner's file."""

from @{pkg}.amounts import full
from @{pkg}.keys import key


def export(records):
    """One line per record."""
    return "".join(_line(record) for record in records)


def _line(record):
    amount = full(abs(record["@{parts}"]), record["@{unit}"])
    below = record["@{parts}"] < 0
    @{export_code}
    return f"{key(record)};{record['day']};{amount} {record['@{unit}']}\n"
