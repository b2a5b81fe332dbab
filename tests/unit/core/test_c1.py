"""The C1 grammar, case by case: what is read, what is refused and why, and what cannot be written."""

from collections import OrderedDict
from decimal import Decimal
from enum import IntEnum
from typing import Any

import pytest

from tallystick.core import limits
from tallystick.core.c1 import C1Error, dumps, encode, loads
from tests import vectors

ACCEPTED = {
    b"{}": {},
    b"[]": [],
    b'""': "",
    b"0": 0,
    b"-1": -1,
    b"true": True,
    b"9007199254740991": 2**53 - 1,
    b"-9007199254740991": -(2**53) + 1,
    b"0.1": Decimal("0.1"),
    b"-0.000001": Decimal("-0.000001"),
    b"123456789.123456": Decimal("123456789.123456"),
    b"0.999999": Decimal("0.999999"),
    b'{"A":1,"a":2,"a.b/c:d@e+f-g":[],"b":3}': {"A": 1, "a": 2, "a.b/c:d@e+f-g": [], "b": 3},
    '["\u20ac$\\u000f\\nA\'B\\"\\\\\\"/\x7f\u0080"]'.encode(): ['\u20ac$\x0f\nA\'B"\\"/\x7f\u0080'],
    '"\U0001f602"'.encode(): "\U0001f602",
    '"\ue000\U00010000"'.encode(): "\ue000\U00010000",
    b"[" * 64 + b"]" * 64: None,
}


@pytest.mark.parametrize("data", ACCEPTED, ids=lambda data: repr(data[:20]))
def test_read_and_written_back(data: bytes) -> None:
    tree = loads(data)
    assert ACCEPTED[data] in (tree, None)
    assert dumps(tree) == data


REFUSED = {
    # numbers
    "minus_zero": b"-0",
    "float_zero": b"0.0",
    "minus_zero_point": b"-0.0",
    "trailing_zero": b"0.10",
    "integral_float": b"1.0",
    "exponent": b"1e2",
    "exponent_as_decimal_writes_it": b"1E+2",
    "tiny_exponent": b"1E-7",
    "exponent_beyond_double": b"1e400",
    "exponent_beyond_decimal": b"1e999999999999999999999",
    "seven_fraction_digits": b"0.1234567",
    "sixteen_digits": b"1234567890.123456",
    "two_to_53": b"9007199254740992",
    "minus_two_to_53": b"-9007199254740992",
    "two_to_64": b"18446744073709551616",
    "thirty_digits": b"1" * 30,
    "five_thousand_digits": b"1" * 5000,
    "five_thousand_fraction_digits": b"0." + b"1" * 5000,
    "nan": b"NaN",
    "infinity": b"Infinity",
    "minus_infinity": b"-Infinity",
    "leading_zero": b"01",
    "plus": b"+1",
    "bare_point": b".5",
    "lone_minus": b"-",
    # names
    "duplicate": b'{"a":1,"a":1}',
    "duplicate_behind_an_escape": b'{"a":1,"\\u0061":2}',
    "unsorted": b'{"b":1,"a":1}',
    "empty_name": b'{"":1}',
    "name_starts_with_digit": b'{"1":1}',
    "name_with_space": b'{"a b":1}',
    "name_with_line_feed": b'{"a\\n":1}',
    "name_not_ascii": '{"é":1}'.encode(),
    "name_of_129": b'{"' + b"a" * 129 + b'":1}',
    # strings
    "lone_surrogate": b'"\\ud800"',
    "low_surrogate_first": b'"\\udc00\\ud800"',
    "surrogate_in_utf8": b'"\xed\xa0\x80"',
    "not_utf8": b'"\xff"',
    "overlong_utf8": b'"\xc0\x80"',
    "raw_control": b'"\x01"',
    "raw_line_feed": b'"\n"',
    "escaped_letter": b'"\\u0041"',
    "escaped_slash": b'"\\/"',
    "escape_in_capitals": b'"\\u000F"',
    "long_escape_of_line_feed": b'"\\u000a"',
    "escaped_delete": b'"\\u007f"',
    "escaped_pair": b'"\\ud83d\\ude02"',
    "unknown_escape": b'"\\x"',
    # structure
    "null": b"null",
    "null_member": b'{"a":null}',
    "bom": b"\xef\xbb\xbf{}",
    "utf16": "{}".encode("utf-16"),
    "empty": b"",
    "space": b" ",
    "leading_space": b" {}",
    "trailing_line_feed": b"{}\n",
    "inner_space": b'{"a": 1}',
    "trailing_comma": b"[1,]",
    "comment": b"/**/{}",
    "two_values": b"{}{}",
    "trailing_nul": b"{}\0",
    "truncated": b'{"a":[1,2',
    "depth_65": b"[" * 65 + b"]" * 65,
    "depth_65_of_objects": b'{"a":' * 65 + b"1" + b"}" * 65,
    "hundred_thousand_brackets": b"[" * 100_000,
    "hundred_thousand_closed_brackets": b"[" * 100_000 + b"]" * 100_000,
    "hundred_thousand_objects": b'{"a":' * 100_000,
}


@pytest.mark.parametrize("data", REFUSED.values(), ids=REFUSED)
def test_refused_with_one_line(data: bytes) -> None:
    with pytest.raises(C1Error) as caught:
        loads(data)
    message = str(caught.value)
    assert message
    assert "\n" not in message
    assert len(message) < 250


UNWRITABLE: dict[str, Any] = {
    "none": None,
    "float": 1.5,
    "nan": float("nan"),
    "decimal_nan": Decimal("NaN"),
    "decimal_infinity": Decimal("Infinity"),
    "integral_decimal": Decimal(1),
    "decimal_with_trailing_zero": Decimal("0.50"),
    "decimal_exponent": Decimal("1E+3"),
    "decimal_too_fine": Decimal("1E-7"),
    "integer_too_large": 2**53,
    "bytes": b"x",
    "tuple": (1,),
    "set": {1},
    "subclass_of_dict": OrderedDict(a=1),
    "subclass_of_int": IntEnum("Small", {"one": 1})(1),
    "subclass_of_str": type("Text", (str,), {})("x"),
    "integer_name": {1: 1},
    "bad_name": {"a b": 1},
    "surrogate": "\ud800",
    "surrogate_deep": {"a": ["\udfff"]},
    "depth_65": eval("[" * 65 + "]" * 65),
}


@pytest.mark.parametrize("tree", UNWRITABLE.values(), ids=UNWRITABLE)
@pytest.mark.parametrize(
    "wrap", [lambda tree: tree, lambda tree: [tree], lambda tree: {"a": tree}], ids=["bare", "list", "dict"]
)
def test_cannot_be_written(tree: Any, wrap: Any) -> None:
    with pytest.raises(C1Error):
        dumps(wrap(tree))


def test_a_list_that_holds_itself_ends() -> None:
    loop: list[Any] = []
    loop.append(loop)
    with pytest.raises(C1Error, match="nested deeper"):
        dumps(loop)


def test_size_is_checked_before_parsing() -> None:
    with pytest.raises(C1Error, match="has 3 bytes; at most 2"):
        loads(b"[[[", 2)
    assert loads(b"[]", 2) == []


def test_values_are_bounded_before_parsing() -> None:
    """Two bytes of `{}` take 70 in memory, so a size limit alone bounds nothing."""
    with pytest.raises(C1Error, match="more than 4000000 values"):
        loads(b"[" + b"{}," * (limits.C1_VALUES // 2) + b"{}]")


def test_long_text_is_no_count_of_values() -> None:
    data = b'"' + b"x" * (limits.C1_VALUES + 10) + b'"'
    assert len(str(loads(data))) == limits.C1_VALUES + 10


def test_a_difference_is_shown_where_it_is() -> None:
    with pytest.raises(C1Error, match=r"at byte 5: b' 1}'"):
        loads(b'{"a": 1}')


def test_encode_checks_surrogates_only() -> None:
    assert encode(None) == b"null"
    with pytest.raises(C1Error, match="surrogate"):
        encode("\ud800")


TESTDATA = vectors.DATA / "vectors/jcs-cyberphone/testdata"


def output(name: str) -> bytes:
    """The canonical bytes of a vector."""
    return (TESTDATA / f"output/{name}.json").read_bytes()


def leaves(value: Any) -> Any:
    """The names, strings, integers and booleans of a JSON value: what C1 can hold of it."""
    if isinstance(value, dict):
        for name, member in value.items():
            yield name
            yield from leaves(member)
    elif isinstance(value, list):
        for member in value:
            yield from leaves(member)
    elif isinstance(value, str | int):
        yield value


OUTSIDE = {
    "arrays": "null|name",
    "french": "name",
    "structures": "name",
    "unicode": "name",
    "values": "null|exponent|number",
    "weird": "name",
}
"""The vectors of cyberphone/json-canonicalization (RFC 8785), and why C1 refuses each."""


@vectors.needed
@pytest.mark.parametrize("name", OUTSIDE)
def test_vectors_outside_c1_are_refused_for_what_they_are(name: str) -> None:
    for data in (output(name), (TESTDATA / f"input/{name}.json").read_bytes()):
        with pytest.raises(C1Error, match=OUTSIDE[name]):
            loads(data)
    assert bytes.fromhex((TESTDATA / f"outhex/{name}.txt").read_text()) == output(name)


@vectors.needed
@pytest.mark.parametrize("name", OUTSIDE)
def test_what_c1_can_hold_of_a_vector_is_written_as_there(name: str) -> None:
    scalars = list(leaves(vectors.load(f"jcs-cyberphone/testdata/input/{name}.json")))
    assert scalars
    for value in scalars:
        assert dumps(value) in output(name)
        assert loads(dumps(value)) == value
