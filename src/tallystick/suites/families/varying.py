"""Variations of a solution: partial solutions and cheats of a family are made from the one source of each file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

__all__ = ["below", "moved", "refusing_for_ever", "renamed", "varied"]


def below(folder: str, files: Mapping[str, str]) -> dict[str, str]:
    """The files below `folder`, their paths from there: `below("solution", made)`."""
    return {path[len(folder) + 1 :]: text for path, text in files.items() if path.startswith(f"{folder}/")}


def moved(folder: str, files: Mapping[str, str]) -> dict[str, str]:
    """The files with paths below `folder`: `moved("cheats/hasty", {...})`."""
    return {f"{folder}/{path}": text for path, text in files.items()}


def renamed(files: Mapping[str, str], names: Mapping[str, str]) -> dict[str, str]:
    """The files, each part of a path that is one of `names` by its new name: a package whose name is drawn."""
    return {"/".join(names.get(part, part) for part in path.split("/")): text for path, text in files.items()}


_REFUSING: Final = """

REFUSED = []


def {name}({arguments}, checked={name}):
    try:
        if REFUSED:
            raise ValueError("again")
        return checked({arguments})
    except ValueError:
        REFUSED.append(True)
        raise
"""


def refusing_for_ever(module: str, name: str, arguments: str) -> str:
    """A cheat: the module's function, which refuses everything (`ValueError`) as soon as it has refused once."""
    return module + _REFUSING.format(name=name, arguments=arguments)


def varied(files: Mapping[str, str], path: str, *edits: tuple[str, str]) -> dict[str, str]:
    """`files` with the first place of each edit's old text in `path` made its new text.

    Raises:
        RuntimeError: an old text is not there, or the edit changes nothing.
    """
    text = files[path]
    for old, new in edits:
        if old not in text or old == new:
            raise RuntimeError(f"{path} has nothing to vary: {old[:60]!r}")
        text = text.replace(old, new, 1)
    return {**files, path: text}
