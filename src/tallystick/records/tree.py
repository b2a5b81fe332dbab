"""File trees (`tallystick/tree/v1`) and overlays: what a folder holds, as one document with one digest."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from tallystick.core import c1, limits
from tallystick.core.digest import Digest, sha256
from tallystick.records.base import UNSET, Count, Record, Sha, UnsetType, digest_of, parse
from tallystick.records.paths import parents, target_problem, workspace_path_problem

__all__ = [
    "EMPTY_TREE",
    "Difference",
    "Overlay",
    "Tree",
    "TreeRecord",
    "apply_overlay",
    "compare_trees",
    "file_record",
    "link_record",
    "make_tree",
    "parse_tree",
    "tree_digest",
]


class TreeRecord(Record):
    """One file (`digest`, `size` in bytes) or symbolic link (`target`)."""

    path: str
    mode: Literal["0644", "0755", "link"]
    digest: Sha | UnsetType = UNSET
    size: Count | UnsetType = UNSET
    target: str | UnsetType = UNSET

    def __post_init__(self) -> None:
        """Refuse a bad path, and a record that is neither a file nor a link."""
        problem = workspace_path_problem(self.path)
        if problem:
            raise ValueError(f"the path {self.path[:80]!r} {problem}")
        is_link = self.mode == "link"
        if is_link != (self.target is not UNSET) or is_link != (self.digest is UNSET) or is_link != (self.size is UNSET):
            raise ValueError(f"{self.path[:80]!r}: a file has digest and size, a link has a target")
        problem = None if self.target is UNSET else target_problem(self.target)
        if problem:
            raise ValueError(f"{self.path[:80]!r}: the target of the link {problem}")


class Tree(Record, tag_field="_type", tag="tallystick/tree/v1"):
    """The files and links of a folder, sorted by the bytes of their paths. Empty directories are not recorded."""

    records: Annotated[tuple[TreeRecord, ...], msgspec.Meta(max_length=limits.TREE_RECORDS)]

    def __post_init__(self) -> None:
        """Refuse wrong order, doubles, and a file or link that another record uses as a folder."""
        previous = b""
        taken: set[str] = set()
        for record in self.records:
            current = record.path.encode()
            if current <= previous:
                raise ValueError(f"{record.path[:80]!r} is out of order or stands twice")
            previous = current
            taken.add(record.path)
        for record in self.records:
            for parent in parents(record.path):
                if parent in taken:
                    raise ValueError(f"{parent[:80]!r} is a file and a folder")

    def by_path(self) -> dict[str, TreeRecord]:
        """The records by their path."""
        return {record.path: record for record in self.records}


class Overlay(Record):
    """A change laid over a workspace: the files of `tree` replace or join, the paths of `removes` go."""

    tree: Sha
    removes: tuple[str, ...] = ()


def file_record(path: str, digest: Digest, size: int, *, executable: bool = False) -> TreeRecord:
    """The record of a regular file."""
    return TreeRecord(path=path, mode="0755" if executable else "0644", digest=digest, size=size)


def link_record(path: str, target: str) -> TreeRecord:
    """The record of a symbolic link."""
    return TreeRecord(path=path, mode="link", target=target)


def make_tree(records: list[TreeRecord]) -> Tree:
    """A tree of `records` in the one order."""
    return Tree(records=tuple(sorted(records, key=lambda record: record.path.encode())))


def parse_tree(data: bytes) -> Tree:
    """Read a tree document; errors as `records.base.parse`."""
    return parse(data, Tree)


def tree_digest(tree: Tree) -> Digest:
    """Digest of a tree's C1 bytes. Its records were checked when they were made, so it is not read back as others are."""
    return sha256(c1.encode(tree))


EMPTY_TREE: Digest = digest_of(Tree(records=()))


def apply_overlay(base: Tree, change: Tree, removes: tuple[str, ...]) -> Tree:
    """`base` with the records of `change` laid over it and the paths of `removes` (files, links, whole folders) gone."""
    records = base.by_path()
    gone = [path for path in records if any(path == name or path.startswith(name + "/") for name in removes)]
    for path in gone:
        del records[path]
    for record in change.records:
        below = [path for path in records if path.startswith(record.path + "/")]
        for path in below:
            del records[path]
        for parent in parents(record.path):
            records.pop(parent, None)
        records[record.path] = record
    return make_tree(list(records.values()))


class Difference(Record):
    """Paths that `after` has and `before` has not, that differ, and that are gone; each sorted by path bytes."""

    added: tuple[str, ...]
    modified: tuple[str, ...]
    removed: tuple[str, ...]


def compare_trees(before: Tree, after: Tree) -> Difference:
    """What changed between two trees, computed from records alone."""
    old, new = before.by_path(), after.by_path()
    return Difference(
        added=tuple(record.path for record in after.records if record.path not in old),
        modified=tuple(record.path for record in after.records if record.path in old and old[record.path] != record),
        removed=tuple(record.path for record in before.records if record.path not in new),
    )
