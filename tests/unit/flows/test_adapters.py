"""Which files count as a suite's answers."""

from __future__ import annotations

import msgspec

from tallystick.core.digest import Digest
from tallystick.flows.adapters import answers
from tallystick.records.base import UNSET, digest_of
from tallystick.records.blobs import MemoryBlobs
from tallystick.records.task import Cheat, hash_suite, hash_task
from tallystick.records.tree import Overlay
from tallystick.suites.loaded import LoadedSuite, index_trees
from tests.support.tiny import SUITE, files

LONG = "a line that nobody writes by accident, number {}\n"


def suite_of(**parts: dict[str, str]) -> tuple[LoadedSuite, dict[str, Digest]]:
    """A suite of one task with these trees, and the digest of each of its files by name."""
    blobs = MemoryBlobs()
    trees = {name: files(blobs, contents) for name, contents in parts.items()}
    digests = {name: digest_of(tree) for name, tree in trees.items()}
    task = msgspec.structs.replace(
        SUITE.tasks[0],
        workspace=digests["workspace"],
        grader=digests.get("grader", UNSET),
        solution=Overlay(tree=digests["solution"]) if "solution" in digests else UNSET,
    )
    task = msgspec.structs.replace(task, task_hash=hash_task(task))
    cheats = [
        Cheat(task_id=task.id, name="lazy", overlay=Overlay(tree=digests[name]), fails=(task.assertions[0].id,))
        for name in digests
        if name == "cheat"
    ]
    document = msgspec.structs.replace(
        SUITE.document, tasks=(task,), suite_hash=hash_suite((task,)), trees=tuple(trees.values()), cheats=tuple(cheats)
    )
    found = {record.path: record.digest for tree in trees.values() for record in tree.records if record.digest is not UNSET}
    return LoadedSuite(document, blobs, "reader", index_trees(document.trees)), found


def test_files_of_graders_solutions_and_cheats_are_answers() -> None:
    names = ("grader", "solution", "cheat", "workspace")
    suite, digests = suite_of(**{name: {f"{name}.py": LONG.format(name)} for name in names})
    assert answers(suite) == {digests[f"{name}.py"] for name in names[:3]}


def test_what_a_workspace_shows_and_what_is_trivial_is_none() -> None:
    shown = LONG.format(1)
    suite, _ = suite_of(workspace={"a.py": shown}, solution={"b.py": shown, "c.py": "x" * 32, "__init__.py": ""})
    assert answers(suite) == frozenset()
    suite, digests = suite_of(workspace={"a.py": shown}, solution={"c.py": "x" * 33})
    assert answers(suite) == {digests["c.py"]}


def test_a_task_without_answers_has_none() -> None:
    suite, _ = suite_of(workspace={"a.py": LONG})
    assert answers(suite) == frozenset()
