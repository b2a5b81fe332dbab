"""A suite of as many small tasks as a test likes, and bundles about it whose verdicts the test chooses: for comparisons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from tallystick.records.blobs import MemoryBlobs
from tallystick.records.evidence import Agent
from tallystick.records.task import FileExists, Grading, Suite, hash_suite
from tallystick.records.tree import Tree
from tallystick.suites.loaded import LoadedSuite, index_trees
from tests.support.synthetic import CONFIG, Run, Sealed, attempt, file_bytes, seal
from tests.support.tiny import MemorySuite, make_task

__all__ = ["agent", "bundle", "many", "reader", "run_of", "write"]


@cache
def many(tasks: int) -> MemorySuite:
    """`many-v1`: tasks `t01`, `t02`, ...; each asks for one file."""
    blobs, trees = MemoryBlobs(), list[Tree]()
    grading = Grading(mode="none", policy="v1", python="3.11", wall_ms=10_000)
    made = tuple(
        make_task(
            blobs,
            trees,
            f"t{number:02}",
            {"workspace": {"a.txt": f"{number}\n"}, "solution": {"b.txt": "done\n"}},
            assertions=(FileExists(id="exists", path="b.txt"),),
            grading=grading,
        )
        for number in range(1, tasks + 1)
    )
    return MemorySuite(
        Suite(version="many-v1", suite_hash=hash_suite(made), tasks=made, trees=tuple(dict.fromkeys(trees))), blobs
    )


def reader(tasks: int) -> LoadedSuite:
    """The same suite as a reader has it."""
    suite = many(tasks)
    return LoadedSuite(suite.document, suite.blobs, "reader", index_trees(suite.document.trees))


def agent(name: str) -> Agent:
    """An agent that is no self-test."""
    return Agent(adapter="command", name=name, self_test=False, argv=(name,))


def run_of(verdicts: Sequence[str], name: str = "agent", **config: Any) -> Run:
    """A run with these verdicts, a word such as `101` for the attempts at each task; `config` changes its conditions."""
    suite, attempts = many(len(verdicts)), len(verdicts[0])
    parts = [
        attempt(suite, task, index, attempts, passes=verdict == "1")
        for task, word in zip(suite.tasks, verdicts, strict=True)
        for index, verdict in enumerate(word, 1)
    ]
    return Run(suite, agent(name), msgspec.structs.replace(CONFIG, **config), attempts, parts, MemoryBlobs())


def bundle(verdicts: Sequence[str], name: str = "agent", **config: Any) -> Sealed:
    """That run, sealed and signed."""
    return seal(run_of(verdicts, name, **config))


def write(folder: Path, bundles: Mapping[str, Sealed]) -> list[Path]:
    """The files of bundles, `NAME.json` each."""
    paths = [folder / f"{name}.json" for name in bundles]
    for path, sealed in zip(paths, bundles.values(), strict=True):
        path.write_bytes(file_bytes(sealed))
    return paths
