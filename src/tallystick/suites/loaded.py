"""A suite in memory: its document, the trees it names, and where the contents of its files come from."""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import msgspec

from tallystick.core import limits
from tallystick.core.digest import Digest, sha256
from tallystick.core.errors import InputError
from tallystick.records.base import UNSET
from tallystick.records.blobs import BlobReader, MissingBlobError
from tallystick.records.task import Cheat, Partial, Suite, Task
from tallystick.records.tree import EMPTY_TREE, Overlay, Tree, apply_overlay, tree_digest
from tallystick.suites.reading import open_regular

__all__ = ["FileBlobs", "LoadedSuite", "Proofs", "SuiteError", "index_trees", "overlaid"]


class SuiteError(InputError):
    """A suite that cannot be used as it is."""


@dataclass(frozen=True, slots=True)
class Proofs:
    """What shows that tasks are fair."""

    cheats: tuple[Cheat, ...] = ()
    partials: tuple[Partial, ...] = ()

    def of(self, tasks: Container[str]) -> Proofs:
        """Those of these task ids."""
        return Proofs(
            tuple(cheat for cheat in self.cheats if cheat.task_id in tasks),
            tuple(partial for partial in self.partials if partial.task_id in tasks),
        )

    def renamed(self, ids: Mapping[str, str]) -> Proofs:
        """The same, of tasks whose ids have become others."""
        return Proofs(
            tuple(msgspec.structs.replace(cheat, task_id=ids[cheat.task_id]) for cheat in self.cheats),
            tuple(msgspec.structs.replace(partial, task_id=ids[partial.task_id]) for partial in self.partials),
        )

    def __add__(self, other: Proofs) -> Proofs:
        return Proofs(self.cheats + other.cheats, self.partials + other.partials)


@dataclass(frozen=True, slots=True)
class LoadedSuite:
    """A checked suite. `origin` says whether it came with tally or from the reader."""

    document: Suite
    blobs: BlobReader
    origin: Literal["packaged", "reader"]
    trees: dict[Digest, Tree]

    @property
    def version(self) -> str:
        """The suite's name, such as `golden-v1`."""
        return self.document.version

    @property
    def suite_hash(self) -> Digest:
        """Digest over the task hashes in order."""
        return self.document.suite_hash

    @property
    def tasks(self) -> tuple[Task, ...]:
        """The tasks in order."""
        return self.document.tasks

    @property
    def cheats(self) -> tuple[Cheat, ...]:
        """The cheats that prove the tasks."""
        return self.document.cheats

    @property
    def partials(self) -> tuple[Partial, ...]:
        """The partial solutions that show what points are given for."""
        return () if self.document.partials is UNSET else self.document.partials

    @property
    def proofs(self) -> Proofs:
        """Cheats and partial solutions."""
        return Proofs(self.cheats, self.partials)

    def tree(self, digest: Digest) -> Tree:
        """The tree of a digest that a task or cheat of this suite names."""
        if digest == EMPTY_TREE:
            return Tree(records=())
        try:
            return self.trees[digest]
        except KeyError:
            raise MissingBlobError(digest, f"the suite {self.version}") from None

    def task(self, task_id: str) -> Task:
        """The task of an id.

        Raises:
            SuiteError: the suite has none of that id.
        """
        found = next((task for task in self.tasks if task.id == task_id), None)
        if found is None:
            raise SuiteError(f"{self.version} has no task {task_id[:80]!r}; it has {', '.join(t.id for t in self.tasks[:20])}")
        return found


def overlaid(suite: LoadedSuite, task: Task, overlay: Overlay) -> Tree:
    """The task's workspace with a solution or cheat laid over it."""
    return apply_overlay(suite.tree(task.workspace), suite.tree(overlay.tree), overlay.removes)


def index_trees(trees: tuple[Tree, ...]) -> dict[Digest, Tree]:
    """Trees by their digest."""
    return {tree_digest(tree): tree for tree in trees}


class FileBlobs:
    """Blobs that lie in known files, read when asked for and checked against their digest."""

    def __init__(self, files: dict[Digest, Path], where: str) -> None:
        self._files = files
        self._where = where

    def read(self, digest: Digest) -> bytes:
        """The bytes of `digest`; raises `MissingBlobError`, also where the file has changed."""
        path = self._files.get(digest)
        if path is None:
            raise MissingBlobError(digest, self._where)
        return read_checked(path, digest)


def read_checked(path: Path, digest: Digest) -> bytes:
    """The bytes of the file at `path`, whose digest is `digest`; raises `MissingBlobError`."""
    try:
        with open_regular(path) as stream:
            data = stream.read(limits.BLOB_BYTES + 1)
    except OSError as error:
        raise MissingBlobError(digest, f"{path} ({error.strerror})") from None
    if sha256(data) != digest:
        raise MissingBlobError(digest, f"{path}, which has changed since its suite was made")
    return data
