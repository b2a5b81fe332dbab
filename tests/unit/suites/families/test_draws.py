"""Drawn numbers repeat, keep their bounds and are spread evenly."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tallystick.suites.families.draws import Draws


def test_a_stream_that_a_second_implementation_can_check() -> None:
    """The first numbers of the stream of docs/spec/suite.md for `x`."""
    draws = Draws("x")
    assert [draws.below(1000) for _ in range(5)] == VECTOR
    assert Draws("x").hex(8) == HEX


VECTOR = [486, 296, 688, 532, 917]
HEX = "47897118"


def test_words_are_kept_apart() -> None:
    assert Draws("a", "b").hex(16) != Draws("ab").hex(16)
    assert Draws("a").apart("b").hex(16) != Draws("a").hex(16)


def test_a_stream_apart_moves_nothing() -> None:
    one, other = Draws("a"), Draws("a")
    one.apart("b").below(10)
    assert one.hex(16) == other.hex(16)


@given(st.integers(1, 1 << 32), st.text(max_size=5))
def test_numbers_keep_their_bound(bound: int, word: str) -> None:
    assert 0 <= Draws(word.replace("\0", "")).below(bound) < bound


@pytest.mark.parametrize("bound", [0, -1, (1 << 32) + 1])
def test_bounds_that_are_none(bound: int) -> None:
    with pytest.raises(ValueError, match="no number"):
        Draws("a").below(bound)


def test_all_numbers_come_about_alike() -> None:
    draws = Draws("even")
    counts = Counter(draws.below(6) for _ in range(6000))
    assert set(counts) == set(range(6))
    assert all(900 < count < 1100 for count in counts.values())


def test_a_sample_has_every_place_once() -> None:
    draws = Draws("sample")
    assert sorted(draws.shuffled(range(20))) == list(range(20))
    assert len(set(draws.sample(range(20), 7))) == 7
    with pytest.raises(ValueError, match="21 of 20"):
        draws.sample(range(20), 21)
