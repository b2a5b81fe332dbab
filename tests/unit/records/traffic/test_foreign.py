"""Foreign JSON: what is read, and the one spelling it is written in."""

import json

import pytest

from tallystick.records.traffic.foreign import ForeignJsonError, Marked, Number, object_of, read_json, write_json


@pytest.mark.parametrize(
    ("text", "written"),
    [
        (b'{"b": 1, "a": [null, true, false]}', '{"a":[null,true,false],"b":1}'),
        (b"[1, 1.0, 1e2, -0, 12345678901234567890123]", "[1,1.0,1e2,-0,12345678901234567890123]"),
        ('"é\\u00e9 \\/ \x7f"'.encode(), '"\\u00e9\\u00e9 / \\u007f"'),
        (b'"\\ud83d\\ude00"', '"\\ud83d\\ude00"'),
        ('["\U0001f600"]'.encode(), '["\\ud83d\\ude00"]'),
        (b'"\\ud800"', '"\\ud800"'),
        (b" {} ", "{}"),
        (b"[[],{}]", "[[],{}]"),
    ],
)
def test_one_spelling(text: bytes, written: str) -> None:
    assert write_json(read_json(text)) == written
    assert write_json(read_json(written.encode())) == written


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"{",
        b"[1,]",
        b'{"a":1,"a":2}',
        b"NaN",
        b"-Infinity",
        b'"\xff"',
        b"\xef\xbb\xbf{}",
        b"[" * 129 + b"]" * 129,
        b"[" * 100_000,
        b'{"a":' * 5000 + b"1" + b"}" * 5000,
        b"[" + b"0," * 2_000_001 + b"0]",
    ],
)
def test_what_is_no_json_text_within_the_bounds_is_refused(text: bytes) -> None:
    with pytest.raises(ForeignJsonError):
        read_json(text)
    assert object_of(text) == {}


def test_the_limit_counts_bytes_and_depth_counts_levels() -> None:
    assert read_json(b"[" * 128 + b"]" * 128)
    assert read_json(b"[1]", limit=3) == [Number("1")]
    with pytest.raises(ForeignJsonError, match="longer"):
        read_json(b"[1]", limit=2)
    assert object_of(b'{"a":1}') == {"a": Number("1")}
    assert object_of(b"[1]") == {}


def test_a_touched_string_is_no_string_that_somebody_could_have_written() -> None:
    touched = Marked(("a ", " b"), ("<uuid:1>",))
    assert write_json(touched) == '"a "<uuid:1>" b"'
    assert write_json(str(touched)) == '"a <uuid:1> b"'


def test_the_writer_is_that_of_the_library_but_for_numbers() -> None:
    value = {"é": ['"\\\n\x00', {"": None}], "a": True}
    text = json.dumps(value).encode()
    assert write_json(read_json(text)) == json.dumps(value, sort_keys=True, separators=(",", ":"))
