"""Relative paths: the strict grammar of suites, and the wider one of what an agent may leave behind."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from tallystick.core.limits import NAME_BYTES, PATH_BYTES

__all__ = ["STEERING_NAMES", "link_problem", "parents", "suite_path_problem", "target_problem", "workspace_path_problem"]

_SUITE_PART = re.compile(r"[A-Za-z0-9._@+ -]+").fullmatch
STEERING_NAMES = frozenset(
    {
        "conftest.py",
        "pytest.ini",
        ".pytest.ini",
        "tox.ini",
        "setup.cfg",
        "sitecustomize.py",
        "usercustomize.py",
        "__pycache__",
    }
)
"""Names that steer Python and its test tools without being asked for; see the grade workspace in docs/spec/suite.md."""


def parents(path: str) -> Iterator[str]:
    """The folders above `path`, the nearest first: `a/b` and `a` of `a/b/c`."""
    while "/" in path:
        path = path.rpartition("/")[0]
        yield path


def _shape_problem(path: str) -> str | None:
    if not path or len(path.encode("utf-8", "surrogatepass")) > PATH_BYTES:
        return "is empty or too long"
    for part in path.split("/"):
        if part in {"", ".", ".."}:
            return "is not a plain relative path"
        if part.lower() == ".git":
            return "has a part .git"
        if len(part.encode("utf-8", "surrogatepass")) > NAME_BYTES:
            return "has a part that no file system can hold"
    return None


def suite_path_problem(path: str) -> str | None:
    """Why `path` may not stand in a suite (ASCII parts of letters, digits and `._@+ -`), or None."""
    problem = _shape_problem(path)
    if problem:
        return problem
    if not all(_SUITE_PART(part) for part in path.split("/")):
        return "has a character outside A-Z a-z 0-9 . _ @ + - and space"
    return None


def workspace_path_problem(path: str) -> str | None:
    """Why `path` may not stand in a sealed workspace (valid UTF-8 without control characters), or None."""
    problem = _shape_problem(path)
    if problem:
        return problem
    if not (path.isascii() and path.isprintable()) and any(unicodedata.category(char) in {"Cc", "Cs"} for char in path):
        return "has a control character"
    return None


def target_problem(target: str) -> str | None:
    """Why `target` may not stand in a tree as what a link points to, or None. Where it leads is not asked."""
    if not target or len(target.encode("utf-8", "surrogatepass")) > PATH_BYTES:
        return "is empty or too long"
    if any(unicodedata.category(char) in {"Cc", "Cs"} for char in target):
        return "has a control character"
    return None


def link_problem(path: str, target: str) -> str | None:
    """Why a link at `path` with `target` may lead out of its tree, or None.

    Steps up come first and never pass the top; after a name none follows. So no link leads out, whatever the others
    are: each step through another link starts inside and only goes down.
    """
    if target.startswith("/"):
        return "points to an absolute path"
    up, named = 0, False
    for part in target.split("/"):
        if part in {"", "."}:
            continue
        if part != "..":
            named = True
        elif named:
            return "goes up again after a name"
        else:
            up += 1
    return "leads out of its folder" if up > path.count("/") else None
