"""What a task family is: a generator from drawn numbers to the authoring form of one task (`suites.authoring`).

    families/<name>/__init__.py     FAMILY = Family(...)
                   /parts/...       files of the task, with places to fill in: @{name}

A generator reads nothing but its own files and its draws, so that a seed makes the same task everywhere.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tallystick.records.task import Tier
from tallystick.suites.families.draws import Draws
from tallystick.suites.folders import REMOVES_FILE, is_litter

__all__ = ["Authored", "Family", "filled", "parts", "removing", "without_empty"]

Authored = Mapping[str, str]
"""Contents by path below the task's folder: `task.md`, `workspace/...`, `grader/...`, `solution/...`, `cheats/<name>/...`,
`partials/<name>/...`. Text is UTF-8 with LF; an overlay's removals stand in `.tally-removes` (`removing`)."""

_PLACE: Final = re.compile(r"@\{([a-z][a-z0-9_]*)\}")


@dataclass(frozen=True, slots=True)
class Family:
    """A generator. `title` is one line for people; `tier` where its tasks belong as long as nobody has measured them."""

    name: str
    title: str
    tier: Tier
    make: Callable[[Draws], Authored]


def parts(module_file: str, values: Mapping[str, str]) -> dict[str, str]:
    """The files below `parts/` beside a family's module (`__file__`), their places `@{name}` filled in.

    A whole line that is one place takes its indentation for every line of the value. Paths stand as they are.

    Raises:
        RuntimeError: a place without a value.
    """
    folder = Path(module_file).parent / "parts"
    found = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not any(is_litter(name) for name in path.relative_to(folder).parts):
            found[path.relative_to(folder).as_posix()] = filled(path.read_text(encoding="utf-8"), values)
    return found


def filled(text: str, values: Mapping[str, str]) -> str:
    """`text` with its places filled in; errors as `parts`."""

    def value_of(match: re.Match[str]) -> str:
        try:
            value = values[match[1]]
        except KeyError:
            raise RuntimeError(f"no value for @{{{match[1]}}}") from None
        start = text.rfind("\n", 0, match.start()) + 1
        indent = text[start : match.start()]
        alone = not indent.strip() and text[match.end() : match.end() + 1] in {"", "\n"}
        return value.replace("\n", "\n" + indent) if alone and indent else value

    return _PLACE.sub(value_of, text)


def without_empty(text: str, values: Mapping[str, str]) -> str:
    """`text` without the lines that are nothing but the place of an empty value."""
    for name in [name for name, value in values.items() if not value]:
        text = re.sub(rf"^ *@\{{{name}\}}\n", "", text, flags=re.MULTILINE)
    return text


def removing(*paths: str) -> dict[str, str]:
    """The member of an overlay that removes `paths`: `{**removing("a.py"), ...}` below `solution/` or `cheats/<name>/`."""
    return {REMOVES_FILE: "".join(f"{path}\n" for path in paths)}
