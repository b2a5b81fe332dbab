"""HTML that cannot be broken out of: every text is escaped where it enters, and only `Markup` made here is taken as it stands.

What agents write may hold anything: markup, control characters, characters that reorder or hide what stands beside them.
`visible` writes all of these as escapes, by the rule that `tally` has for terminals.
"""

from __future__ import annotations

import html
from collections.abc import Iterable

from tallystick.core.c1 import Tree
from tallystick.core.visible import written_out

__all__ = ["Attribute", "Child", "Markup", "el", "join", "visible", "visible_tree"]


class Markup(str):
    """HTML that is safe to send."""

    __slots__ = ()


Child = Markup | str | int | Iterable["Child"]
"""What an element holds: markup, text (a plain `str`, escaped), numbers, and lists of these."""
Attribute = str | int | bool | None
"""A value, or whether an attribute without one is there."""

_VOID = frozenset({"br", "hr", "input", "meta"})


def visible(text: str, limit: int | None = None) -> str:
    r"""`text` with whatever does not print as itself, but for line feeds and tabs, written as an escape such as `\u202e`.

    What that is, `core.visible` says, for terminals too. With `limit`, at most so many characters.
    """
    cut = text if limit is None or len(text) <= limit else f"{text[:limit]} (+{len(text) - limit} characters)"
    return written_out(cut, lines=True)


def visible_tree(tree: Tree) -> Tree:
    """The same tree with every string made visible."""
    if isinstance(tree, str):
        return visible(tree)
    if isinstance(tree, dict):
        return {name: visible_tree(value) for name, value in tree.items()}
    if isinstance(tree, list):
        return [visible_tree(value) for value in tree]
    return tree


def el(tag: str, *children: Child, **attributes: Attribute) -> Markup:
    """An element. `class_` is the attribute `class`, `data_x` the attribute `data-x`; False and None leave one out."""
    written = "".join(_attribute(name, value) for name, value in attributes.items())
    if tag in _VOID:
        return Markup(f"<{tag}{written}>")
    return Markup(f"<{tag}{written}>{join(children)}</{tag}>")


def join(children: Child) -> Markup:
    """Children one after the other, texts escaped."""
    if isinstance(children, Markup):
        return children
    if isinstance(children, str | int):
        return Markup(html.escape(visible(str(children))))
    return Markup("".join(join(child) for child in children))


def _attribute(name: str, value: Attribute) -> str:
    if value is None or value is False:
        return ""
    written = name.rstrip("_").replace("_", "-")
    return f" {written}" if value is True else f' {written}="{html.escape(visible(str(value)))}"'
