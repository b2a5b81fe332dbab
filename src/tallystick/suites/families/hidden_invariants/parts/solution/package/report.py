"""A summary for people."""

from @{pkg}.amounts import short


def summary(records):
    """Lines `@{who} total @{unit}`, sorted; totals without needless zeros."""
    found = {}
    for record in records:
        place = record["@{who}"], record["@{unit}"]
        found[place] = found.get(place, 0) + record["@{parts}"]
    return [f"{who} {short(total, unit)} {unit}" for (who, unit), total in sorted(found.items())]
