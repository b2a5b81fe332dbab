"""Task families that come with tally, by name; a folder each."""

from __future__ import annotations

import importlib
from functools import cache
from pathlib import Path
from typing import Final

from tallystick.core.digest import Digest
from tallystick.core.errors import InputError
from tallystick.records.tree import tree_digest
from tallystick.suites.families.family import Family
from tallystick.suites.folders import read_folder

__all__ = ["Family", "family_digest", "family_names", "load_family"]

_FOLDER: Final = Path(__file__).parent


def family_names() -> tuple[str, ...]:
    """Names of all families, sorted."""
    return tuple(sorted(path.parent.name for path in _FOLDER.glob("*/__init__.py")))


def load_family(name: str) -> Family:
    """The family of a name.

    Raises:
        InputError: there is none of that name.
    """
    if name not in family_names():
        import difflib  # noqa: PLC0415  # only for people who mistyped

        near = difflib.get_close_matches(name, family_names(), n=1)
        known = f"did you mean {near[0]}?" if near else f"there are {', '.join(family_names())}"
        raise InputError(f"no task family {name[:60]!r}; {known}")
    family: Family = importlib.import_module(f"{__name__}.{name}").FAMILY
    return family


@cache
def family_digest(name: str) -> Digest:
    """The tree digest of a family's files: its generator, as it stands in what is drawn from it."""
    return tree_digest(read_folder(_FOLDER / name).tree)
