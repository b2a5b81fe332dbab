"""Printing items."""

import json
import textwrap
from collections import defaultdict
from typing import TYPE_CHECKING, Iterable

if TYPE_CHECKING:
    from feeds.model import Item


def as_text(items: "Iterable[Item]") -> str:
    """Items with equal votes together, most votes first."""
    by_votes = defaultdict(list)
    for item in items:
        by_votes[item.votes].append(item.title)
    lines = []
    for votes in sorted(by_votes, reverse=True):
        lines.append(f"{votes} votes")
        lines.extend(textwrap.indent(title, "  ") for title in by_votes[votes])
    return "\n".join(lines)


def as_json(items: "Iterable[Item]") -> str:
    """A JSON list of objects."""
    return json.dumps([{"title": item.title, "votes": item.votes} for item in items])
