"""File trees (`tallystick/tree/v1`) and overlays: what a folder holds, as one document with one digest."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from tallystick.core import limits
from tallystick.core.digest import Digest
from tallystick.records.base import UNSET, Count, Record, Sha, UnsetType, digest_of, parse
from tallystick.records.paths import workspace_path_problem

__all__ = ["EMPTY_TREE", "Overlay", "Tree", "TreeRecord", "file_record", "link_record", "make_tree", "parse_tree"]


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
        if is_link and not self.target:
            raise ValueError(f"{self.path[:80]!r}: a link has a target")


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
            parent = record.path.rpartition("/")[0]
            while parent:
                if parent in taken:
                    raise ValueError(f"{parent[:80]!r} is a file and a folder")
                parent = parent.rpartition("/")[0]

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


EMPTY_TREE: Digest = digest_of(Tree(records=()))
