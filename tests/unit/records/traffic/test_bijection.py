"""Renamed values correspond one to one over an attempt; handles are mapped in answers."""

import pytest

from tallystick.records.traffic import bijection
from tallystick.records.traffic.bijection import Bijection


def test_values_of_equal_requests_correspond() -> None:
    pairs = Bijection()
    assert pairs.join(("a", "b"), ("x", "y")) is None
    assert pairs.join(("b", "c"), ("y", "c")) is None
    assert pairs.changed() == {"a", "b"}


@pytest.mark.parametrize(
    ("recorded", "live", "problem"),
    [
        (("a",), ("y",), 'recorded "a" stood for "x", now for "y"'),
        (("b",), ("x",), '"x" stood for recorded "a", now for "b"'),
        (("c", "c"), ("p", "q"), 'recorded "c" stood for "p", now for "q"'),
        (("c", "d"), ("p", "p"), '"p" stood for recorded "c", now for "d"'),
        (("c",), (), "1 values were renamed, now 0"),
    ],
)
def test_what_contradicts_is_named_and_adds_nothing(recorded: tuple[str, ...], live: tuple[str, ...], problem: str) -> None:
    pairs = Bijection()
    assert pairs.join(("a",), ("x",)) is None
    assert pairs.join(recorded, live) == problem
    assert pairs.join(("c", "d"), ("q", "r")) is None


def test_only_handles_are_mapped_and_only_whole_words() -> None:
    pairs = Bijection()
    assert pairs.join(("93468", "12"), ("77", "34"), {"93468"}) is None
    assert pairs.to_live("session 93468, 193468, 93468x, 12") == "session 77, 193468, 93468x, 12"
    assert pairs.to_live(b'\xff{"id":93468}') == b'\xff{"id":77}'
    assert pairs.to_recorded(b'{"id":77}') == b'{"id":93468}'


def test_handles_that_swap_are_mapped_at_once() -> None:
    pairs = Bijection()
    assert pairs.join(("11", "22", "11-22"), ("22", "11", "5"), {"11", "22", "11-22"}) is None
    assert pairs.to_live("11 22 11-22") == "22 11 5"
    assert pairs.to_recorded(pairs.to_live("11 22 11-22")) == "11 22 11-22"


def test_there_is_a_bound() -> None:
    many = [str(number) for number in range(bijection.VALUES)]
    pairs = Bijection()
    assert pairs.join(many, many) is None
    assert pairs.join(("x",), ("x",)) == f"more than {bijection.VALUES} values were renamed"
