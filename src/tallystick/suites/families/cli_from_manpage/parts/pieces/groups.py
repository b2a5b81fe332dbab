"""Groups, their figures and their order."""

from fractions import Fraction

from @{prog} import amounts


def figure_of(measure, values):
    if measure == "count":
        return len(values)
    if measure == "mean":
        return Fraction(sum(values)) / len(values)
    return {"sum": sum, "largest": max, "smallest": min}[measure](values)


def collected(rows, fold):
    """[key as printed, key as compared, values] of each group, as they appear."""
    groups = {}
    for key, value in rows:
        group = groups.setdefault(key.lower() if fold else key, [key, key.lower() if fold else key, []])
        group[2].append(value)
        @{spelling}
    return list(groups.values())


def ordered(groups, settings):
    measure, turned = settings["measure"], "reverse" in settings
    if settings["order"] == "name":
        groups.sort(key=lambda group: group[1], reverse=turned)
    elif settings["order"] == "figure":
        @{ordering}
    return groups


def report(rows, settings):
    """All lines of the output."""
    measure = settings["measure"]
    groups = ordered(collected(rows, "fold" in settings), settings)
    shown = groups[: int(settings.get("top", len(groups)))]
    lines = [(group[0], figure_of(measure, group[2])) for group in shown]
    if "total" in settings and rows:
        lines.append(("@{label}", figure_of(measure, [value for group in @{total_over} for value in group[2]])))
    return "".join(f"{line(key, amounts.show(figure, measure))}\n" for key, figure in lines)


def line(key, figure):
    return f"@{layout_code}"
