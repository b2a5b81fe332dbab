"""Golden tasks judged by a small evaluator of their own: the double of compiler, runner and scoring."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from tests.unit.inside.protocol import Reported, inspect, run_grader, run_subject

PACKAGED = Path(__file__).parents[3] / "src/tallystick/suites/packaged"
SUITE = PACKAGED / "golden-v1"
TASKS = {path.name: path for path in sorted(SUITE.glob("smoke/*"))}
INSPECTED = {
    "syntax_valid",
    "symbol_present",
    "no_symbol",
    "has_docstring",
    "docstring_contains",
    "no_unused_import",
    "matches",
}


def front(task: Path) -> dict[str, Any]:
    """The frontmatter of the task with the folder `task`, in the folder or beside it."""
    file = task / "task.md" if (task / "task.md").exists() else task.with_suffix(".md")
    return dict(yaml.safe_load(file.read_text("utf-8").split("---\n")[1]))


def files(root: Path) -> dict[str, bytes]:
    """All files of a tree by path."""
    paths = (path for path in root.rglob("*") if path.is_file())
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in paths}


def laid_over(base: dict[str, bytes], overlay: Path | None) -> dict[str, bytes]:
    """A workspace with an overlay applied."""
    changes = files(overlay) if overlay else {}
    removed = changes.pop(".tally-removes", b"").decode().split()
    return {path: content for path, content in {**base, **changes}.items() if path not in removed}


def allowed(base: dict[str, bytes], final: dict[str, bytes], owned: list[str]) -> dict[str, bytes]:
    """The grade workspace: the base plus changes of owned files."""
    kept = {path: final[path] for path in owned if path in final}
    return {**{path: content for path, content in base.items() if path not in owned}, **kept}


class Judge:
    """One final workspace of one task; `failing()` is the set of assertions that fail."""

    def __init__(self, task: Path, overlay: Path | None, room: Path) -> None:
        self.task, self.front = task, front(task)
        self.base = files(task / "workspace")
        self.final = laid_over(self.base, overlay)
        self.grade = allowed(self.base, self.final, self.front["owned_files"])
        self.room = room / "workspace"
        for path, content in self.grade.items():
            target = self.room / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
        self.reported: dict[str, Reported] = {}

    def failing(self) -> set[str]:
        checks = [{"id": check["kind"], **check} for check in self.front["assertions"]]
        found = inspect([c for c in checks if c["kind"] in INSPECTED], self.grade)
        failed = {name for name, result in found.items() if result["outcome"] != "pass"}
        rest = [check for check in checks if check["kind"] not in INSPECTED]
        shutil.rmtree(self.room / ".git", ignore_errors=True)
        return failed | {check["id"] for check in rest if not getattr(self, check["kind"])(check)}

    def changed(self) -> Iterator[str]:
        for path in self.base.keys() | self.final.keys():
            if self.base.get(path) != self.final.get(path):
                yield path

    def file_exists(self, check: dict[str, Any]) -> bool:
        return check["path"] in self.final

    def content_eq(self, check: dict[str, Any]) -> bool:
        return self.final.get(check["path"]) == check["content"].encode()

    def contains(self, check: dict[str, Any]) -> bool:
        return check["text"].encode() in self.final.get(check["path"], b"")

    def not_contains(self, check: dict[str, Any]) -> bool:
        return check["path"] in self.final and not self.contains(check)

    def json_equals(self, check: dict[str, Any]) -> bool:
        content = self.final.get(check["path"])
        return content is not None and json.loads(content) == json.loads(check["value"])

    def unchanged(self, check: dict[str, Any]) -> bool:
        return not set(check["paths"]) & set(self.changed())

    def only_changed(self, check: dict[str, Any]) -> bool:
        return set(self.changed()) <= set(check["paths"])

    def line_count_delta(self, check: dict[str, Any]) -> bool:
        path = check["path"]
        delta = len(self.final.get(path, b"").splitlines()) - len(self.base[path].splitlines())
        return bool(check["min_delta"] <= delta <= check["max_delta"])

    def command(self, check: dict[str, Any]) -> bool:
        return bool(run_subject(self.room, check["argv"], b"", 30)["exit"] == check["exit"])

    def grader(self, check: dict[str, Any]) -> bool:
        said = run_grader(self.task / "grader" / check["script"], self.room)
        self.reported[check["id"]] = said
        complete = set(said.tests) == set(check["tests"]) and said.done and said.exit == 0
        return complete and set(said.tests.values()) == {"pass"}
