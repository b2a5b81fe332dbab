"""A summary for people."""


def summary(records):
    """Lines `@{who} total @{unit}`, sorted; totals without needless zeros."""
    found = {}
    for record in records:
        place = record["@{who}"], record["@{unit}"]
        found[place] = found.get(place, 0) + record["@{amount}"]
    return [f"{who} {_short(total)} {unit}" for (who, unit), total in sorted(found.items())]


def _short(amount):
    text = f"{amount:f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text == "-0" else text
