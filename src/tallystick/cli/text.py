"""Text of others on a terminal: nothing in a bundle, suite or report may move the cursor, hide or reorder what is shown."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from typing import Final

from tallystick.core.visible import written_out

__all__ = ["WIDTH", "block", "clip", "flat", "named", "safe", "wrapped"]

WIDTH = 80
"""Columns of every page, table and help text."""


_NAME: Final = 60
_PLAIN: Final = re.compile(r"[A-Za-z0-9._-]+").fullmatch


def safe(text: str, limit: int = 200) -> str:
    """`text` on one line, `limit` characters at most, with everything that hides written as an escape.

    What that is, `core.visible` says, for pages too.
    """
    return written_out(text[:limit]) + (f" (+{len(text) - limit} characters)" if len(text) > limit else "")


def flat(text: str, limit: int = 600) -> str:
    """As `safe`, with every run of white space as one space: padding could begin a line of its own where a terminal wraps."""
    return safe(" ".join(text.split()), limit)


def named(text: str, limit: int = _NAME) -> str:
    """A name that somebody declared: short enough for one line, and in quotes where it is more than one plain word."""
    name = " ".join(text.split())
    if _PLAIN(name):
        return safe(name, limit)
    quoted = safe(name[:limit].replace("\\", "\\\\").replace('"', '\\"'), 2 * limit)
    return f'"{quoted}"' + (f" (+{len(name) - limit} characters)" if len(name) > limit else "")


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
