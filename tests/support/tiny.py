"""A tiny suite in memory: three tasks, with portable, inspected and executed assertions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

import msgspec

from tallystick.core.digest import EMPTY, Digest
from tallystick.records.base import UNSET, digest_of
from tallystick.records.blobs import MemoryBlobs
from tallystick.records.task import (
    Command,
    Contains,
    ContentEq,
    FileExists,
    Grader,
    Grading,
    LineCountDelta,
    OnlyChanged,
    Suite,
    SyntaxValid,
    Task,
    TaskLimits,
    hash_suite,
    hash_task,
)
from tallystick.records.tree import Overlay, Tree, apply_overlay, file_record, make_tree

__all__ = ["LIMITS", "SUITE", "MemorySuite", "files", "make_suite", "make_task"]

LIMITS = TaskLimits(wall_ms=60_000, cost_usd=1, memory_mb=256, disk_mb=64, files=1000, processes=32, output_kb=64)


@dataclass(frozen=True)
class MemorySuite:
    """A suite of the reader, held in memory."""

    document: Suite
    blobs: MemoryBlobs

    @property
    def version(self) -> str:
        return self.document.version

    @property
    def suite_hash(self) -> Digest:
        return self.document.suite_hash

    @property
    def tasks(self) -> tuple[Task, ...]:
        return self.document.tasks

    def tree(self, digest: Digest) -> Tree:
        return next(tree for tree in self.document.trees if digest_of(tree) == digest)

    def task(self, task_id: str) -> Task:
        return next(task for task in self.tasks if task.id == task_id)

    def solved(self, task: Task) -> Tree:
        """The workspace that the reference solution makes."""
        assert task.solution is not UNSET
        return apply_overlay(self.tree(task.workspace), self.tree(task.solution.tree), task.solution.removes)


def files(blobs: MemoryBlobs, contents: Mapping[str, str]) -> Tree:
    """A tree of text files, whose bytes go into `blobs`."""
    return make_tree([file_record(path, blobs.put(text.encode()), len(text.encode())) for path, text in contents.items()])


def make_task(blobs: MemoryBlobs, trees: list[Tree], id_: str, parts: Mapping[str, Mapping[str, str]], **members: Any) -> Task:
    made = {name: files(blobs, contents) for name, contents in parts.items()}
    trees.extend(made.values())
    task = Task(
        id=id_,
        title=id_.replace("_", " "),
        description=f"Do what {id_} says.",
        steps=("Look.", "Change."),
        category="file_io",
        tier="smoke",
        workspace=digest_of(made["workspace"]),
        grader=digest_of(made["grader"]) if "grader" in made else UNSET,
        solution=Overlay(tree=digest_of(made["solution"])),
        limits=LIMITS,
        task_hash=EMPTY,
        **members,
    )
    return msgspec.structs.replace(task, task_hash=hash_task(task))


@cache
def make_suite(limits: TaskLimits = LIMITS, mode: Literal["separate", "in_process"] = "separate") -> MemorySuite:
    """Three tasks: portable assertions only; inspected and executed ones; a grader with owned files."""
    blobs = MemoryBlobs()
    trees: list[Tree] = []
    grading = Grading(mode=mode, policy="v1", python="3.11", wall_ms=10_000)
    write_it = make_task(
        blobs,
        trees,
        "write_file",
        {"workspace": {"a.txt": "one\n"}, "solution": {"b.txt": "two\n"}},
        assertions=(
            FileExists(id="exists", path="b.txt"),
            ContentEq(id="content", path="b.txt", content="two\n"),
            OnlyChanged(id="only", paths=("b.txt",)),
        ),
        grading=msgspec.structs.replace(grading, mode="none"),
    )
    shorten = make_task(
        blobs,
        trees,
        "shorten",
        {"workspace": {"m.py": "import os\nX = 1\n"}, "solution": {"m.py": "X = 1\n"}},
        assertions=(
            SyntaxValid(id="syntax", path="m.py"),
            LineCountDelta(id="shorter", path="m.py", max_delta=-1),
            Command(id="runs", argv=("python3", "m.py")),
        ),
        grading=grading,
    )
    fix = make_task(
        blobs,
        trees,
        "fix_bug",
        {
            "workspace": {"lib.py": "def f():\n    return 1\n", "test_lib.py": "pass\n"},
            "solution": {"lib.py": "def f():\n    return 2\n"},
            "grader": {"grade.py": "print('secret')\n"},
        },
        assertions=(
            Contains(id="two", path="lib.py", text="return 2"),
            Grader(id="behaviour", script="grade.py", tests=("returns_two", "is_function")),
        ),
        owned_files=("lib.py",),
        protected_files=("test_lib.py",),
        grading=grading,
    )
    tasks = tuple(msgspec.structs.replace(task, limits=limits) for task in (write_it, shorten, fix))
    tasks = tuple(msgspec.structs.replace(task, task_hash=hash_task(task)) for task in tasks)
    document = Suite(version="tiny-v1", suite_hash=hash_suite(tasks), tasks=tasks, trees=tuple(dict.fromkeys(trees)))
    return MemorySuite(document, blobs)


SUITE = make_suite()
