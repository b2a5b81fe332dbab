"""Text of others on a terminal: nothing in a bundle, suite or report may move the cursor, hide or reorder what is shown."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from tallystick.core.visible import written_out

__all__ = ["WIDTH", "block", "clip", "safe", "wrapped"]

WIDTH = 80
"""Columns of every page, table and help text."""


def safe(text: str, limit: int = 200) -> str:
    """`text` on one line, `limit` characters at most, with everything that hides written as an escape.

    What that is, `core.visible` says, for pages too.
    """
    return written_out(text[:limit]) + (f" (+{len(text) - limit} characters)" if len(text) > limit else "")


def block(text: str, *, lines: int, columns: int = 400) -> Iterator[str]:
    """The lines of `text`, each made safe; tabs stay as four spaces. After `lines` lines one says how many are left out."""
    parts = text.split("\n")
    if parts and parts[-1] == "":
        parts.pop()
    for part in parts[:lines]:
        yield safe(part.removesuffix("\r").replace("\t", "    "), columns)
    if len(parts) > lines:
        yield f"(+{len(parts) - lines} lines)"


def clip(text: str, width: int, ellipsis: str) -> str:
    """`text`, cut to `width` columns with a mark that something is missing."""
    return text if len(text) <= width else text[: max(0, width - len(ellipsis))] + ellipsis


def wrapped(text: str, *, first: str = "", rest: str = "") -> list[str]:
    """`text` over as many lines as it takes; words, and so ids and paths, are never broken."""
    return textwrap.wrap(
        text,
        WIDTH,
        initial_indent=first,
        subsequent_indent=rest or " " * len(first),
        break_long_words=False,
        break_on_hyphens=False,
    ) or [first.rstrip()]
