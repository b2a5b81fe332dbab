"""The foreign rule, held against digests that others recorded and against every way in which JSON readers differ."""

import math
from typing import Any

import pytest

from tallystick.core import limits, pyjson
from tallystick.core.pyjson import PyJsonError


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("[1, 1.0, 1e0, -0, -0.0, 0.0]", "[1,1.0,1.0,0,-0.0,0.0]"),
        ("[1e16, 1e-7, 0.000095, 123456789012345678901234567890]", "[1e+16,1e-07,9.5e-05,123456789012345678901234567890]"),
        ('{"b":1,"a":{"d":[],"c":null}}', '{"a":{"c":null,"d":[]},"b":1}'),
        ('{"\ufb01":1,"\U0001f600":2,"z":3}', '{"z":3,"\ufb01":1,"\U0001f600":2}'),  # code points, not UTF-16 units
        (r'"\u00e9\/\u007f\u2028\ud83d\ude00"', '"é/\x7f\u2028\U0001f600"'),
        (r'"\b\t\n\f\r\u0000\u001f\"\\"', r'"\b\t\n\f\r\u0000\u001f\"\\"'),
        (' {"a" : [ ] }\r\n', '{"a":[]}'),
    ],
)
def test_canonical_bytes(text: str, written: str) -> None:
    for strict in (True, False):
        assert pyjson.canonical(pyjson.read(text.encode(), strict=strict)) == written.encode()


def test_a_digest_is_that_of_the_canonical_bytes() -> None:
    assert pyjson.digest({"b": 1, "a": 0.0}) == "sha256:df5a6664b5add9d47a7d97a272810dfdfd7f74f483580fe7656a70779bbf21f7"


def test_pretty_is_for_people() -> None:
    assert pyjson.pretty({"b": ["é"], "a": {}}) == '{\n  "a": {},\n  "b": [\n    "\\u00e9"\n  ]\n}'


AMBIGUOUS = {
    '{"a":1,"b":{"c":1,"d":2,"c":3}}': "the member 'c' stands twice",
    '{"\\u0061":1,"a":1}': "the member 'a' stands twice",
    "[NaN]": "NaN is no JSON number",
    "[-Infinity]": "-Infinity is no JSON number",
    '{"a":1e999}': "the number 1e999 is too large",
    "[-1E400]": "the number -1E400 is too large",
    r'["\ud800"]': "lone surrogate",
    r'{"\uDFFF":1}': "lone surrogate",
    r'["\ude00\ud83d"]': "lone surrogate",
}


@pytest.mark.parametrize(("text", "why"), AMBIGUOUS.items(), ids=range(len(AMBIGUOUS)))
def test_what_readers_take_differently_passes_only_without_strict(text: str, why: str) -> None:
    pyjson.read(text.encode(), strict=False)
    with pytest.raises(PyJsonError, match=why):
        pyjson.read(text.encode(), strict=True)


def test_the_last_of_doubled_names_wins_and_leaves_the_digest_as_it_is() -> None:
    twice = pyjson.read(b'{"verdict":"reject","verdict":"accept"}', strict=False)
    assert twice == {"verdict": "accept"}
    assert pyjson.digest(twice) == pyjson.digest({"verdict": "accept"})


def test_numbers_that_are_none_are_written_as_python_does() -> None:
    value = pyjson.read(b"[NaN,Infinity,-Infinity,1e999]", strict=False)
    assert pyjson.canonical(value) == b"[NaN,Infinity,-Infinity,Infinity]"


def test_int_and_float_are_two_things() -> None:
    whole, real = pyjson.read(b"[1,0]", strict=True), pyjson.read(b"[1.0,0.0]", strict=True)
    assert whole == real
    assert pyjson.digest(whole) != pyjson.digest(real)


def test_a_small_number_is_no_overflow() -> None:
    assert pyjson.read(b"[1e-999, 1e308]", strict=True) == [0.0, 1e308]


@pytest.mark.parametrize("strict", [True, False])
@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "Expecting value: line 1 column 1"),
        (b'{"a":1,}', "line 1 column 8"),
        (b"{'a':1}", "Expecting property name enclosed in double quotes"),
        (b'["a\n"]', "Invalid control character"),
        (b"[1] 2", "Extra data"),
        (b"[01]", "Expecting ',' delimiter"),
        (b'["\xff"]', "not UTF-8 .* at byte 2"),
        (b'["\xed\xa0\x80"]', "not UTF-8"),  # a surrogate in UTF-8
        (b"\xef\xbb\xbf[]", "byte order mark"),
        ("[]".encode("utf-16"), "not UTF-8"),
        (b"[" + b"9" * 5000 + b"]", "more digits than Python reads"),
    ],
)
def test_what_is_no_json_is_refused_in_one_line(data: bytes, why: str, *, strict: bool) -> None:
    with pytest.raises(PyJsonError, match=why) as caught:
        pyjson.read(data, strict=strict)
    assert "\n" not in str(caught.value)
    assert caught.value.exit_code == 2


def nested(levels: int) -> bytes:
    """Objects and arrays in turn."""
    return b'{"a":[' * (levels // 2) + b"[" * (levels % 2) + b"]" * (levels % 2) + b"]}" * (levels // 2)


@pytest.mark.parametrize("strict", [True, False])
def test_the_bound_on_depth(*, strict: bool) -> None:
    deepest = pyjson.read(nested(limits.PYJSON_DEPTH), strict=strict)
    assert pyjson.canonical(deepest) == nested(limits.PYJSON_DEPTH)
    for levels in (limits.PYJSON_DEPTH + 1, 5_000, 1_000_000):
        with pytest.raises(PyJsonError, match="nested deeper than 128 levels"):
            pyjson.read(nested(levels), strict=strict)


def test_breadth_is_not_depth() -> None:
    wide = b"[" + b",".join([b'{"a":[1]}'] * 1000) + b"]"
    assert pyjson.canonical(pyjson.read(wide, strict=True)) == wide


def test_the_bounds_on_size() -> None:
    with pytest.raises(PyJsonError, match="bytes; at most 33554432 are read"):
        pyjson.read(b" " * (limits.PYJSON_BYTES + 1), strict=False)
    with pytest.raises(PyJsonError, match="more than 4000000 values"):
        pyjson.read(b"[" + b"1," * limits.PYJSON_VALUES + b"1]", strict=False)


def test_values_without_canonical_bytes() -> None:
    with pytest.raises(PyJsonError, match="lone surrogate"):
        pyjson.digest(["\ud800"])
    endless: list[Any] = []
    endless.append(endless)
    with pytest.raises(PyJsonError, match="nested deeper"):
        pyjson.canonical(endless)


def test_python_writes_nan_and_reads_it_back() -> None:
    (value,) = pyjson.read(pyjson.canonical([math.nan]), strict=False)
    assert math.isnan(value)
