"""Writes small suites in their authoring form."""

from pathlib import Path

TASK = """---
title: Say hello
assertions:
  - {kind: content_eq, path: hello.txt, content: "hello\\n"}
---
Write `hello` into hello.txt.
"""


def write_files(folder: Path, files: dict[str, str]) -> Path:
    """Write texts by relative path."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def task_text(front: str, body: str = "Do it.\n") -> str:
    """A task file."""
    return f"---\n{front}---\n{body}"


FULL = {
    "suite.yaml": "version: demo-v1\norder: [second, first]\n",
    "smoke/first.md": TASK,
    "standard/second/task.md": task_text(
        """title: Second
category: refactor
steps: [Look., Change it.]
owned_files: [src/, notes.txt]
protected_files: [src/keep.py]
max_duration_s: 20
max_cost_usd: 0.25
memory_mb: 512
python: 3.12
assertions:
  - {kind: grader, id: behaviour, script: grade.py, tests: [a, b]}
  - {kind: contains, path: src/app.py, text: new}
  - {kind: contains, path: src/app.py, text: name}
cheats:
  lazy: {fails: [behaviour]}
"""
    ),
    "standard/second/workspace/src/app.py": "old = 1  # this is the app\n",
    "standard/second/workspace/src/keep.py": "kept = True\n",
    "standard/second/workspace/gone.txt": "to be removed, and longer than a trivial file\n",
    "standard/second/grader/grade.py": "from tally_grader import subject, test\n",
    "standard/second/solution/src/app.py": "new_name = 1\n",
    "standard/second/cheats/lazy/src/app.py": "new = 'name'\n",
    "standard/second/cheats/lazy/.tally-removes": "gone.txt\n",
}
"""A suite with one of everything."""
