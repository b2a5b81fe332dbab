"""Values as text that graders and agents read: JSON as people write it, and lists of Python, a row a line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tallystick.core import c1

__all__ = ["json_text", "listed"]


def json_text(value: object) -> str:
    """The JSON text of mappings, lists, tuples, text, whole numbers, booleans and None, on one line.

    Members stay in their order; a space follows `,` and `:`.

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


def listed(rows: Iterable[object], indent: str = "") -> str:
    """Python: a list with a line for each row; `indent` is that of the line it begins in."""
    return "[\n" + "".join(f"{indent}    {row!r},\n" for row in rows) + f"{indent}]"
