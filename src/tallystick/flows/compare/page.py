"""A comparison as a page: what it shows above the two runs side by side, in the manner of `tally show A B --html`."""

from __future__ import annotations

from pathlib import Path

from tallystick.flows.compare import Compared
from tallystick.flows.compare.said import figures, headline
from tallystick.flows.markup import Markup, el
from tallystick.flows.page import write_sides
from tallystick.flows.page.overview import finding, table

__all__ = ["write_comparison"]


def write_comparison(compared: Compared, made_at: int, out: Path) -> int:
    """Write the page, whole or not at all; its size in bytes. Errors as `flows.page.write_sides`."""
    return write_sides(compared.sides, compared.groups, made_at, out, _found(compared))


def _found(compared: Compared) -> Markup:
    shown = compared.paired.standing != "no difference shown"
    remarks = el("ul", *(el("li", note) for note in compared.notes)) if compared.notes else ""
    rows = (el("tr", el("th", name, scope="row"), el("td", value, class_="num")) for name, value in figures(compared.paired))
    numbers = el("details", el("summary", "The figures of the comparison"), table(("Figure", "Value"), rows, "Comparison"))
    return finding("good" if shown else "open", "", headline(compared.paired), "", remarks, numbers)
