"""What changed between two trees, in lines and secrets."""

from decimal import Decimal

import pytest

from tallystick.records.base import UNSET
from tallystick.records.blobs import MemoryBlobs, MissingBlobError
from tallystick.records.evidence import Excluded
from tallystick.records.judgement import Size
from tallystick.records.tree import Tree, file_record, link_record, make_tree
from tallystick.suites.changed import (
    FILE_BYTES,
    byte_measures,
    changed_records,
    lines_of,
    python_records,
    reference_of,
    size_of,
)
from tests.support.tiny import SUITE, files

KEY = "AKIA" + "ABCDEFGHIJKLMNOP"


def size(before: dict[str, str], after: dict[str, str]) -> Size:
    blobs = MemoryBlobs()
    return size_of(tuple(changed_records(files(blobs, before), files(blobs, after))), blobs)


@pytest.mark.parametrize(
    ("before", "after", "found"),
    [
        ({"a": "1\n2\n"}, {"a": "1\n2\n"}, Size()),
        ({"a": "1\n2\n"}, {"a": "1\n3\n"}, Size(files=1, added=1, removed=1)),
        ({"a": "1\n2\n"}, {"a": "2\n1\n\n\n"}, Size(files=1)),  # moved, and nothing in the new lines
        ({"a": "1\n1\n"}, {"a": "1\n"}, Size(files=1, removed=1)),
        ({"a": "x\n"}, {"a": "    x\r\n"}, Size(files=1)),
        ({"a": "1\n"}, {"b": "1\n"}, Size(files=2, added=1, removed=1)),
        ({}, {"a": "1\r2\r\n3"}, Size(files=1, added=3)),
    ],
)
def test_lines_are_compared_as_a_multiset(before: dict[str, str], after: dict[str, str], found: Size) -> None:
    assert size(before, after) == found


def test_a_long_file_counts_as_a_file_only() -> None:
    assert size({}, {"a": "x\n" * FILE_BYTES}) == Size(files=1)


def test_lines_are_bytes_without_what_surrounds_them() -> None:
    assert lines_of(b"\xff x\t\n\x0c\n") == {b"\xff x": 1}


def test_modes_and_links_are_no_change_of_content() -> None:
    blobs = MemoryBlobs()
    before = make_tree([file_record("a.py", blobs.put(b"1"), 1), link_record("l", "a.py")])
    after = make_tree([file_record("a.py", blobs.put(b"1"), 1, executable=True), link_record("l", "b.py")])
    assert list(changed_records(before, after)) == []


def test_python_files_are_regular_ones_on_either_side() -> None:
    blobs = MemoryBlobs()
    before = make_tree([file_record("gone.py", blobs.put(b"1"), 1), file_record("x.txt", blobs.put(b"2"), 1)])
    after = make_tree([file_record("new.py", blobs.put(b"3"), 1), link_record("l.py", "new.py")])
    assert [(old or new).path for old, new in python_records(before, after)] == ["gone.py", "new.py"]  # type: ignore[union-attr]


def test_secrets_are_those_that_came() -> None:
    blobs = MemoryBlobs()
    before, after = files(blobs, {"a": KEY, "b": "x"}), files(blobs, {"a": KEY + " again", "b": f"key = {KEY}"})
    found = byte_measures(before, after, (), None, blobs)
    assert found["secrets"] == 1


def test_paths_that_were_left_out_for_a_reason() -> None:
    reasons = ("protected", "steering", "leaves", "not_owned")
    excluded = tuple(Excluded(path=str(at), reason=reason) for at, reason in enumerate(reasons))  # type: ignore[arg-type]
    empty = Tree(records=())
    assert byte_measures(empty, empty, excluded, None, MemoryBlobs())["excluded"] == 3


def test_size_is_told_in_reference_solutions() -> None:
    task = SUITE.task("shorten")
    base, solution = SUITE.tree(task.workspace), SUITE.tree(task.solution.tree)  # type: ignore[union-attr]
    reference = reference_of(task, base, solution, SUITE.blobs)
    assert reference == Size(files=1, removed=1)
    blobs = MemoryBlobs()
    longer = files(blobs, {"m.py": "import os\nX = 1\nY = 1\nZ = 1\n"})
    both = MemoryBlobs()
    for tree, source in ((base, SUITE.blobs), (longer, blobs)):
        for record in tree.records:
            assert isinstance(record.digest, str)
            both.put(source.read(record.digest))
    found = byte_measures(base, longer, (), reference, both)
    assert (found["ratio"], found["reference"]) == (2, reference)
    half = byte_measures(base, base, (), Size(files=1, added=2), both)
    assert half["ratio"] == 0
    assert byte_measures(base, longer, (), Size(files=1, added=3), both)["ratio"] == Decimal("0.666667")


def test_without_a_solution_there_is_no_ratio() -> None:
    task = SUITE.task("shorten")
    assert reference_of(task, SUITE.tree(task.workspace), None, SUITE.blobs) is None
    empty = Tree(records=())
    assert byte_measures(empty, empty, (), None, MemoryBlobs())["ratio"] is UNSET


def test_a_changed_file_that_is_not_here_is_named() -> None:
    blobs = MemoryBlobs()
    with pytest.raises(MissingBlobError):
        byte_measures(Tree(records=()), files(blobs, {"a": "1"}), (), None, MemoryBlobs())
