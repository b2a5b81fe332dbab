"""Trees and overlays: the one order, the shapes that are refused, and what a change is."""

import re
from typing import Any

import pytest

from tallystick.core import c1, limits
from tallystick.core.digest import EMPTY
from tallystick.records.base import MalformedError, write
from tallystick.records.paths import suite_path_problem, workspace_path_problem
from tallystick.records.tree import (
    EMPTY_TREE,
    Tree,
    apply_overlay,
    compare_trees,
    file_record,
    link_record,
    make_tree,
    parse_tree,
)
from tests.unit.records.samples import named


def raw(*records: dict[str, Any]) -> bytes:
    return c1.encode({"_type": "tallystick/tree/v1", "records": list(records)})


def file(path: str, **changes: Any) -> dict[str, Any]:
    return {"path": path, "mode": "0644", "digest": EMPTY, "size": 0, **changes}


def link(path: str, **changes: Any) -> dict[str, Any]:
    return {"path": path, "mode": "link", "target": "a", **changes}


def test_an_empty_tree_has_a_digest() -> None:
    assert parse_tree(raw()) == Tree(records=())
    assert EMPTY_TREE.startswith("sha256:")


def test_paths_are_sorted_as_bytes() -> None:
    """UTF-8 order is not UTF-16 order: U+FFFD stands before U+10000 here and behind it there."""
    tree = make_tree([file_record(path, EMPTY, 0) for path in ("\U00010000", "\ufffd", "b", "B")])
    assert [record.path for record in tree.records] == ["B", "b", "\ufffd", "\U00010000"]
    assert parse_tree(write(tree)) == tree


REFUSED = {
    "unsorted": (raw(file("b"), file("a")), "out of order"),
    "twice": (raw(file("a"), file("a")), "stands twice"),
    "file_used_as_a_folder": (raw(file("a"), file("a/b")), "a file and a folder"),
    "file_used_as_a_folder_with_others_between": (raw(file("a"), file("a-b"), file("a/b")), "a file and a folder"),
    "link_used_as_a_folder": (raw(link("a"), file("a/b/c")), "a file and a folder"),
    "absolute": (raw(file("/a")), "plain relative"),
    "climbs": (raw(file("../a")), "plain relative"),
    "climbs_inside": (raw(file("a/../b")), "plain relative"),
    "dot": (raw(file("./a")), "plain relative"),
    "double_slash": (raw(file("a//b")), "plain relative"),
    "ends_in_slash": (raw(file("a/")), "plain relative"),
    "no_path": (raw(file("")), "empty"),
    "long_path": (raw(file("a" * (limits.PATH_BYTES + 1))), "too long"),
    "git": (raw(file(".git/config")), r"\.git"),
    "git_in_capitals": (raw(file("a/.GIT/hooks")), r"\.git"),
    "line_feed": (raw(file("a\nb")), "control"),
    "nul": (raw(file("a\0")), "control"),
    "c1_control": (raw(file("a\u0085")), "control"),
    "other_mode": (raw(file("a", mode="0777")), "mode"),
    "setuid": (raw(file("a", mode="4755")), "mode"),
    "file_without_digest": (raw({"path": "a", "mode": "0644", "size": 0}), "digest and size"),
    "file_without_size": (raw({"path": "a", "mode": "0644", "digest": EMPTY}), "digest and size"),
    "file_with_target": (raw(file("a", target="b")), "digest and size"),
    "link_with_digest": (raw(link("a", digest=EMPTY)), "digest and size"),
    "link_without_target": (raw({"path": "a", "mode": "link"}), "has a target"),
    "link_to_nothing": (raw(link("a", target="")), "the target of the link is empty"),
    "link_with_nul": (raw(link("a", target="a\0b")), "control character"),
    "link_too_long": (raw(link("a", target="a/" * 3000)), "too long"),
    "name_too_long": (raw(file("a" * 256)), "no file system"),
    "negative_size": (raw(file("a", size=-1)), "size|>= 0"),
    "digest_in_capitals": (raw(file("a", digest=EMPTY.upper())), "digest|regex"),
    "folder": (raw({"path": "a", "mode": "dir"}), "mode"),
}


@pytest.mark.parametrize(("data", "message"), REFUSED.values(), ids=REFUSED)
def test_refused(data: bytes, message: str) -> None:
    with pytest.raises(MalformedError, match=message) as caught:
        parse_tree(data)
    assert "\n" not in str(caught.value)


def test_suite_paths_are_narrower_than_workspace_paths() -> None:
    for path in ("a b/c+d@e.py", "A-1_2"):
        assert suite_path_problem(path) is None
        assert workspace_path_problem(path) is None
    for path in ("é", "a\\b", "a:b", "a*", "'", "\u202eb"):
        assert suite_path_problem(path) is not None
        assert workspace_path_problem(path) is None


BASE = make_tree([file_record(path, EMPTY, 0) for path in ("a", "d/x", "d/y", "e")])


def paths(tree: Tree) -> list[str]:
    return [record.path for record in tree.records]


def test_an_overlay_replaces_adds_and_removes() -> None:
    change = make_tree([file_record("a", named("new"), 3), file_record("n/m", EMPTY, 0)])
    after = apply_overlay(BASE, change, ("d", "nothing"))
    assert paths(after) == ["a", "e", "n/m"]
    assert after.by_path()["a"].digest == named("new")
    difference = compare_trees(BASE, after)
    assert difference.added == ("n/m",)
    assert difference.modified == ("a",)
    assert difference.removed == ("d/x", "d/y")


def test_an_overlay_turns_folders_into_files_and_back() -> None:
    assert paths(apply_overlay(BASE, make_tree([link_record("d", "a")]), ())) == ["a", "d", "e"]
    assert paths(apply_overlay(BASE, make_tree([file_record("a/b/c", EMPTY, 0)]), ())) == ["a/b/c", "d/x", "d/y", "e"]


def test_removing_a_name_leaves_names_that_only_start_alike() -> None:
    base = make_tree([file_record(path, EMPTY, 0) for path in ("d/x", "d2", "dd")])
    assert paths(apply_overlay(base, Tree(records=()), ("d",))) == ["d2", "dd"]


def test_a_mode_alone_is_a_change() -> None:
    after = make_tree([file_record(record.path, EMPTY, 0, executable=True) for record in BASE.records])
    assert compare_trees(BASE, after).modified == ("a", "d/x", "d/y", "e")
    assert re.search("0755", write(after).decode())
