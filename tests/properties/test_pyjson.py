"""The foreign rule for any value: what is written is read again, and it is what Python writes."""

import json
import math
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tallystick.core import pyjson
from tallystick.records.cohort.checking import check
from tallystick.records.cohort.schemas import DocumentKind

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
SCALARS = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), TEXT)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=5) | st.dictionaries(TEXT, inner, max_size=5), max_leaves=30
)


def refusal(data: bytes, *, strict: bool) -> str | None:
    """Why the bytes are not read."""
    try:
        pyjson.read(data, strict=strict)
    except pyjson.PyJsonError as error:
        return str(error)
    return None


def exactly(value: Any) -> str:
    """Text that differs where int and float do, and where 0.0 and -0.0 do."""
    return repr(value)


@given(VALUES)
def test_what_is_written_is_read_again(value: Any) -> None:
    data = pyjson.canonical(value)
    again = pyjson.read(data, strict=True)
    assert again == value
    assert pyjson.canonical(again) == data
    assert exactly(pyjson.read(pyjson.pretty(value).encode(), strict=True)) == exactly(json.loads(pyjson.pretty(value)))


@given(VALUES)
def test_it_is_the_writer_of_the_standard_library(value: Any) -> None:
    written = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert pyjson.canonical(value) == written.encode()
    assert pyjson.pretty(value) == json.dumps(value, sort_keys=True, indent=2)


@given(VALUES, VALUES)
def test_digests_are_equal_exactly_where_the_bytes_are(one: Any, other: Any) -> None:
    assert (pyjson.digest(one) == pyjson.digest(other)) is (pyjson.canonical(one) == pyjson.canonical(other))


@given(st.binary(max_size=200) | VALUES.map(lambda value: json.dumps(value).encode()), st.booleans())
def test_any_bytes_are_read_or_refused_in_one_line(data: bytes, strict: bool) -> None:  # noqa: FBT001
    why = refusal(data, strict=strict)
    assert why is None or (why and "\n" not in why)


@given(st.dictionaries(TEXT, SCALARS, min_size=1, max_size=5), st.data())
def test_strict_reads_no_document_otherwise_than_compat(value: dict[str, Any], data: st.DataObject) -> None:
    text = json.dumps(value)
    again = data.draw(st.sampled_from(sorted(value)))
    assert exactly(pyjson.read(text.encode(), strict=True)) == exactly(pyjson.read(text.encode(), strict=False))
    doubled = (text[:-1] + f",{json.dumps(again)}:0}}").encode()
    assert pyjson.read(doubled, strict=False) == {**value, again: 0}
    assert "stands twice" in str(refusal(doubled, strict=True))


@given(st.floats())
def test_a_float_stays_one(number: float) -> None:
    (again,) = pyjson.read(pyjson.canonical([number]), strict=False)  # type: ignore[misc]
    assert isinstance(again, float)
    assert math.isnan(number) or math.copysign(1, again) == math.copysign(1, number)


@given(VALUES, st.sampled_from(DocumentKind), st.booleans())
def test_any_value_is_checked_to_an_end(value: Any, kind: DocumentKind, strict: bool) -> None:  # noqa: FBT001
    errors = check(kind, value, strict=strict)
    assert errors
    assert all("\n" not in error.message for error in errors)
