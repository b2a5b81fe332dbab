"""Groups and their figures."""

from @{prog} import amounts


def report(rows, settings):
    """All lines of the output."""
    groups = {}
    for key, value in rows:
        groups.setdefault(key, []).append(value)
    measure = settings["measure"]
    work = {"sum": sum, "count": len, "largest": max, "smallest": min, "mean": lambda values: sum(values) / len(values)}
    return "".join(f"{line(key, amounts.show(work[measure](values), measure))}\n" for key, values in groups.items())


def line(key, figure):
    return f"@{layout_code}"
