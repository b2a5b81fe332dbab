"""What the typed readers share. They read values that the check by schema has passed, so they ask no more questions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar

from tallystick.core.pyjson import Json

__all__ = ["EXTENSION", "Node", "Whole", "maybe", "node", "own_members"]

Node = dict[str, Any]
"""An object of a checked document."""

Whole = int | float
"""A whole number: 1.0 is one too, equals 1, and is written otherwise."""

EXTENSION: Final = "tallystick"
"""Our member of `extensions`, in whatever document."""

_T = TypeVar("_T")


def node(value: Json) -> Node:
    """The value as the object that it is.

    Raises:
        TypeError: it is none, so it was not checked.
    """
    if not isinstance(value, dict):
        raise TypeError("a document that the check by its schema did not pass")
    return value


def own_members(document: Json) -> Node:
    """What stands in our member of a document's extensions, which no schema describes; empty where there is none."""
    extensions = document.get("extensions") if isinstance(document, dict) else None
    found = extensions.get(EXTENSION) if isinstance(extensions, dict) else None
    return found if isinstance(found, dict) else {}


def maybe(make: Callable[[str], _T], text: str | None) -> _T | None:
    """What `make` makes of a member, and of an absent one nothing."""
    return None if text is None else make(text)
