"""Lines of a journal; see docs/format.md."""

import json
from decimal import Decimal


def load(text):
    """The records of a journal."""
    return [_record(json.loads(line)) for line in text.splitlines() if line.strip()]


def _record(line):
    if line.pop("v") != 1:
        raise ValueError("a line of an unknown format")
    line["@{amount}"] = Decimal(line["@{amount}"])
    return line


def dump(records):
    """The text of a journal."""
    return "".join(json.dumps({"v": 1, **record, "@{amount}": str(record["@{amount}"])}) + "\n" for record in records)
