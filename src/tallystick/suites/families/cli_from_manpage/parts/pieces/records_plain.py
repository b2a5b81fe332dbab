"""Standard input and its records."""

import sys

from @{prog} import amounts


def read(settings, messages):
    """((key, value) of every record, exit status)."""
    rows = []
    for line in sys.stdin:
        fields = line.strip().split(settings["delimiter"])
        if settings["measure"] == "count":
            rows.append((fields[settings["key"] - 1], 1))
        else:
            rows.append((fields[settings["key"] - 1], amounts.parse(fields[settings["value"] - 1])))
    return rows, 0
