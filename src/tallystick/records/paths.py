"""Relative paths: the strict grammar of suites, and the wider one of what an agent may leave behind."""

from __future__ import annotations

import re
import unicodedata

from tallystick.core.limits import PATH_BYTES

__all__ = ["STEERING_NAMES", "suite_path_problem", "workspace_path_problem"]

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
"""Names that steer Python and its test tools without being asked for; see DESIGN of grade workspaces in docs/spec/suite.md."""


def _shape_problem(path: str) -> str | None:
    if not path or len(path.encode("utf-8", "surrogatepass")) > PATH_BYTES:
        return "is empty or too long"
    for part in path.split("/"):
        if part in {"", ".", ".."}:
            return "is not a plain relative path"
        if part.lower() == ".git":
            return "has a part .git"
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
    if any(unicodedata.category(char) in {"Cc", "Cs"} for char in path):
        return "has a control character"
    return None
