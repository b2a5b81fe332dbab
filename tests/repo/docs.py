"""Markdown pages as the tests read them: headings, tables, links."""

import re
from dataclasses import dataclass, field
from pathlib import Path

from tests.repo.project import ROOT

DOCS = ROOT / "docs"

_HEADING = re.compile(r"^(#{1,6}) (.+)$")
_CODE = re.compile(r"`([^`\n]+)`")
_FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")


@dataclass
class Table:
    """A table: the words of its head, and its rows as they are written."""

    head: tuple[str, ...]
    rows: list[tuple[str, ...]] = field(default_factory=list)


@dataclass
class Section:
    """What stands under one heading, up to the next one of any depth."""

    title: str
    tables: list[Table] = field(default_factory=list)

    def table(self, first: str) -> Table | None:
        """The first table whose first column is called ``first``."""
        return next((table for table in self.tables if table.head[0] == first), None)


def sections(path: Path) -> list[Section]:
    """The sections of a page; code blocks are left out."""
    found = [Section("")]
    table: Table | None = None
    fenced = False
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("```"):
            fenced = not fenced
        heading = None if fenced else _HEADING.match(line)
        if heading:
            found.append(Section(heading[2]))
        if fenced or not line.startswith("|"):
            table = None
            continue
        cells = tuple(cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1])
        if table is None:
            table = Table(cells)
            found[-1].tables.append(table)
        elif not set(line) <= set("|-: "):
            table.rows.append(cells)
    return found


def prose(path: Path) -> str:
    """A page without its code blocks."""
    return _FENCED.sub("", path.read_text(encoding="utf-8"))


def codes(text: str) -> list[str]:
    """What stands between single backticks, in order."""
    return _CODE.findall(text)


def anchors(path: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    titles = (re.sub(r"[`*]", "", section.title).lower() for section in sections(path))
    return {re.sub(r"[^\w\- ]", "", title).strip().replace(" ", "-") for title in titles}


def links(path: Path) -> list[str]:
    """Targets of the links of a page, without code and without links to other hosts."""
    return [target for target in _LINK.findall(_CODE.sub("", prose(path))) if "://" not in target]


def pages() -> list[Path]:
    """Every Markdown page that is written for readers."""
    top = [ROOT / name for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md")]
    return [*top, *sorted(DOCS.rglob("*.md"))]
