"""Portable assertions: functions of bytes, each with the cases where other evaluators slip."""

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tallystick.records.blobs import MemoryBlobs, MissingBlobError
from tallystick.records.task import (
    Contains,
    ContentEq,
    FileAbsent,
    FileExists,
    JsonEquals,
    LineCountDelta,
    NotContains,
    OnlyChanged,
    Portable,
    Unchanged,
)
from tallystick.records.tree import Tree, file_record, link_record, make_tree
from tallystick.scoring.jsontext import JsonTextError, parse_json, same_json
from tallystick.scoring.portable import Workspaces, line_count
from tallystick.scoring.portable import holds as holds_at

Contents = Mapping[str, bytes | tuple[str]]


def tree(blobs: MemoryBlobs, contents: Contents) -> Tree:
    """Bytes are a file, a tuple is the target of a link."""
    return make_tree(
        [
            link_record(path, content[0]) if isinstance(content, tuple) else file_record(path, blobs.put(content), len(content))
            for path, content in contents.items()
        ]
    )


def holds(check: Portable, final: Contents, base: Contents | None = None, *, refused: int = 0) -> bool:
    blobs = MemoryBlobs()
    now = tree(blobs, final)
    at = Workspaces(base=tree(blobs, base or {}), final=now, graded=now, refused_total=refused, blobs=blobs)
    return holds_at(check, at)


def test_a_file_exists_and_a_link_or_folder_is_none() -> None:
    check = FileExists(id="c", path="a")
    assert holds(check, {"a": b""})
    assert not holds(check, {"a": ("b",), "b": b""})
    assert not holds(check, {"a/b": b""})
    assert not holds(check, {})


def test_absent_means_no_file_link_or_folder() -> None:
    check = FileAbsent(id="c", path="a")
    assert holds(check, {"ab": b"", "b/a": b""})
    assert not holds(check, {"a": b""})
    assert not holds(check, {"a": ("b",)})
    assert not holds(check, {"a/b": b""})


def test_content_is_compared_byte_for_byte() -> None:
    check = ContentEq(id="c", path="a", content="ü\n")
    assert holds(check, {"a": "ü\n".encode()})
    assert not holds(check, {"a": b"u\xcc\x88\n"})  # the other normal form
    assert not holds(check, {"a": "ü\r\n".encode()})
    assert not holds(check, {"a": "\ufeffü\n".encode()})


def test_text_is_found_in_bytes_of_any_encoding() -> None:
    assert holds(Contains(id="c", path="a", text="x"), {"a": b"\xff x"})
    assert not holds(Contains(id="c", path="a", text="x"), {"a": ("x",)})
    assert holds(NotContains(id="c", path="a", text="x"), {"a": b"\xff"})
    assert not holds(NotContains(id="c", path="a", text="x"), {})


@pytest.mark.parametrize(
    ("text", "value", "same"),
    [
        ("1", "1.0", True),
        ("1e2", "100", True),
        ("0.1", "0.1000000000000000055", False),
        ("9007199254740993", "9007199254740992", False),
        ("-0", "0", True),
        ("1e400", "1e401", False),
        ("true", "1", False),
        ("null", "false", False),
        ('{"a":1,"b":[2]}', ' { "b" : [ 2 ] , "a" : 1 } ', True),
        ("[1,2]", "[2,1]", False),
        ('{"a":1}', '{"a":1,"b":null}', False),
        (r'"\u0061"', '"a"', True),
        ('{"a":1,"a":1}', '{"a":1}', False),
        ('{"a":1,"\\u0061":1}', '{"a":1}', False),
        ("NaN", "NaN", False),
        ("Infinity", "Infinity", False),
        ("01", "1", False),
        ("[1,]", "[1]", False),
        ("\ufeff1", "1", False),
        ("", "", False),
        ("[" * 65 + "]" * 65, "[" * 65 + "]" * 65, False),
        ("[" * 64 + "]" * 64, "[" * 64 + "]" * 64, True),
        ("[" * 100_000, "[" * 100_000, False),
        ("9" * 100_000, "9" * 100_000, True),
        ("1e99999999999999999999", "1e99999999999999999999", False),
    ],
)
def test_json_is_compared_by_exact_value(text: str, value: str, *, same: bool) -> None:
    assert holds(JsonEquals(id="c", path="a", value=value), {"a": text.encode()}) is same


def test_json_must_be_utf8() -> None:
    assert not holds(JsonEquals(id="c", path="a", value='"x"'), {"a": '"x"'.encode("utf-16")})


@given(st.binary(max_size=60))
def test_any_bytes_are_json_or_refused(data: bytes) -> None:
    try:
        value = parse_json(data)
    except JsonTextError:
        return
    assert same_json(value, value)


@pytest.mark.parametrize(("data", "lines"), [(b"", 0), (b"a", 1), (b"a\n", 1), (b"\n", 1), (b"a\nb", 2), (b"a\r\nb\r\n", 2)])
def test_a_last_line_without_a_line_feed_counts(data: bytes, lines: int) -> None:
    assert line_count(data) == lines


def test_lines_are_counted_against_the_base() -> None:
    check = LineCountDelta(id="c", path="a", max_delta=-1)
    assert holds(check, {"a": b"1\n"}, {"a": b"1\n2\n"})
    assert not holds(check, {"a": b"1\n2\n"}, {"a": b"1\n2\n"})
    assert not holds(check, {}, {"a": b"1\n"})  # a deleted file has no lines to count
    assert holds(LineCountDelta(id="c", path="a", min_delta=2), {"a": b"1\n2\n"}, {})


def test_unchanged_sees_content_mode_and_removal() -> None:
    check = Unchanged(id="c", paths=("a", "d/"))
    base: Contents = {"a": b"1", "d/x": b"2", "e": b"3"}
    assert holds(check, {"a": b"1", "d/x": b"2", "e": b"changed"}, base)
    assert not holds(check, {"a": b"2", "d/x": b"2"}, base)
    assert not holds(check, {"d/x": b"2"}, base)
    assert not holds(check, {"a": ("d/x",), "d/x": b"2"}, base)
    assert not holds(check, {"a": b"1", "d/x": b"2", "d/y": b""}, base)


def test_only_changed_sees_every_other_path_and_what_the_seal_refused() -> None:
    check = OnlyChanged(id="c", paths=("a", "d/"))
    base: Contents = {"a": b"1", "b": b"2"}
    assert holds(check, {"a": b"3", "b": b"2", "d/new": b""}, base)
    assert holds(check, {"b": b"2"}, base)
    assert not holds(check, {"a": b"1", "b": b"3"}, base)
    assert not holds(check, {"a": b"1"}, base)
    assert not holds(check, {"a": b"1", "b": b"2", "a2": b""}, base)
    assert not holds(check, {"a": b"3", "b": b"2"}, base, refused=1)


def test_bytes_that_are_not_here_are_not_taken_for_absent() -> None:
    now = tree(MemoryBlobs(), {"a": b"1"})
    check = NotContains(id="c", path="a", text="x")
    with pytest.raises(MissingBlobError):
        holds_at(check, Workspaces(base=now, final=now, graded=now, refused_total=0, blobs=MemoryBlobs()))
