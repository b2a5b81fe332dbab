"""The task file of a task that was made from a commit."""

from __future__ import annotations

import re
from typing import Final

from tallystick.core import c1
from tallystick.flows.task_git import Commit

__all__ = ["task_text"]

_TRAILER = re.compile(r"^(signed-off-by|co-authored-by|reviewed-by|acked-by|change-id|cc|git-svn-id):", re.IGNORECASE).match
_PROTECTED: Final = "# Tests of the repository, which the agent need not touch: a change of them never reaches the check.\n"


def task_text(commit: Commit, protected: list[str], checks: str, names: str) -> str:
    """task.md: `checks` are the lines below `assertions:`, `names` what is added to the instruction."""
    subject, body = _message(commit.message)
    paths = "".join(f"  - {c1.dumps(path).decode()}\n" for path in protected)
    kept_apart = f"{_PROTECTED}protected_files:\n{paths}" if paths else ""
    return (
        "---\n"
        f"# Made from commit {commit.oid}. The workspace is its parent; the solution is its change without the tests.\n"
        f"title: {c1.dumps(subject).decode()}\n"
        "category: bugfix\n"
        "# The hidden tests import the submitted code, so grader and code share a sandbox, and results say so.\n"
        "grader: in_process\n"
        f"{kept_apart}"
        "# fixed: tests that fail on the workspace and pass with the solution. kept: tests that pass on both.\n"
        f"assertions:\n{checks}"
        "---\n"
        f"{subject}\n\n{body}{names}"
    )


def _message(message: str) -> tuple[str, str]:
    """First line (at most 200 characters) and the rest of a commit's message, without trailers and control characters."""
    clean = "".join(char for char in message.replace("\r\n", "\n") if char == "\n" or char.isprintable())
    lines = [line.rstrip() for line in clean.strip("\n").split("\n") if not _TRAILER(line)]
    subject = lines[0].strip()[:200] if lines and lines[0].strip() else "Mend what the tests show"
    body = "\n".join(lines[1:]).strip("\n")
    return subject, f"{body}\n" if body else ""
