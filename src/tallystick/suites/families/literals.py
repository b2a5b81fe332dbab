"""JSON as people write it: members in their order, a space after `,` and `:`. Graders and agents read it."""

from __future__ import annotations

from collections.abc import Mapping

from tallystick.core import c1

__all__ = ["json_text"]


def json_text(value: object) -> str:
    """The JSON text of mappings, lists, tuples, text, whole numbers, booleans and None, on one line.

    Raises:
        TypeError: there is something else in it.
    """
    if value is None:
        return "null"
    if isinstance(value, str | bool | int):
        return c1.encode(value).decode()
    if isinstance(value, list | tuple):
        return f"[{', '.join(json_text(item) for item in value)}]"
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{json_text(str(name))}: {json_text(item)}' for name, item in value.items())}}}"
    raise TypeError(f"not for JSON: {value!r}")
