"""A small suite that becomes a cohort: six tasks of six categories, each with a solution, a wrong cheat and one that strays."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final

import msgspec

from tallystick.records.blobs import MemoryBlobs
from tallystick.records.task import Cheat, Command, ContentEq, Grading, OnlyChanged, Suite, Task, hash_suite, hash_task
from tallystick.records.tree import Overlay, Tree, tree_digest
from tallystick.suites.loaded import LoadedSuite, index_trees
from tallystick.suites.loading import write_compiled
from tests.support.tiny import files, make_task

__all__ = ["CATEGORIES", "small_suite", "write_small"]

CATEGORIES: Final = ("bug_fix", "build", "feature", "refactor", "documentation", "other_work")


@cache
def small_suite() -> LoadedSuite:
    """`small-v1`: each task asks for one line in `out.txt`; the first also runs it."""
    blobs, trees, tasks, cheats = MemoryBlobs(), list[Tree](), list[Task](), list[Cheat]()
    for number, category in enumerate(CATEGORIES, 1):
        task = _task(blobs, trees, number, category)
        tasks.append(task)
        for name, contents, fails in (
            ("empty_words", {"out.txt": "pass\n"}, ("content",)),
            ("strays", {"out.txt": f"print({number})\n", "more.txt": "more\n"}, ("only",)),
        ):
            tree = files(blobs, contents)
            trees.append(tree)
            cheats.append(Cheat(task_id=task.id, name=name, overlay=Overlay(tree=tree_digest(tree)), fails=fails))
    document = Suite(
        version="small-v1",
        suite_hash=hash_suite(tuple(tasks)),
        tasks=tuple(tasks),
        trees=tuple(sorted(dict.fromkeys(trees), key=tree_digest)),
        cheats=tuple(cheats),
    )
    return LoadedSuite(document, blobs, "reader", index_trees(document.trees))


def _task(blobs: MemoryBlobs, trees: list[Tree], number: int, category: str) -> Task:
    grading = Grading(mode="separate" if number == 1 else "none", policy="v1", python="3.11", wall_ms=10_000)
    runs = (Command(id="runs", argv=("python3", "out.txt")),) if number == 1 else ()
    task = make_task(
        blobs,
        trees,
        f"Task_{number}",
        {"workspace": {"in.txt": f"{number}\n"}, "solution": {"out.txt": f"print({number})\n"}},
        assertions=(
            ContentEq(id="content", path="out.txt", content=f"print({number})\n"),
            OnlyChanged(id="only", paths=("out.txt",)),
            *runs,
        ),
        owned_files=("out.txt", "more.txt"),
        protected_files=("in.txt",),
        grading=grading,
    )
    changed = msgspec.structs.replace(task, category=category)
    return msgspec.structs.replace(changed, task_hash=hash_task(changed))


def write_small(folder: Path) -> Path:
    """The suite as a folder that `--suite` takes."""
    write_compiled(small_suite(), folder)
    return folder
