"""Lines of a journal; see docs/format.md."""

import json

from @{pkg}.amounts import from_text


def load(text):
    """The records of a journal."""
    return [_record(json.loads(line)) for line in text.splitlines() if line.strip()]


def _record(line):
    version = line.pop("v")
    if type(version) is not int or version not in (1, 2):
        raise ValueError("a line of an unknown format")
    if version == 1:
        line["@{parts}"] = from_text(line.pop("@{amount}"), line["@{unit}"])
    if type(line["@{parts}"]) is not int:
        raise ValueError("@{parts} is a whole number")
    return line


def dump(records):
    """The text of a journal."""
    return "".join(json.dumps({"v": 2, **record}) + "\n" for record in records)
