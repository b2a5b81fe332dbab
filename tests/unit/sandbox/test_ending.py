"""What is believed of a status stream, whatever a program may have written into it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tallystick.sandbox.ending import KEEP_BYTES, decode
from tallystick.sandbox.process import Ended
from tallystick.sandbox.spec import Captured


def read(stream: bytes, *, code: int = 0, total: int | None = None) -> tuple[int | None, int | None, int | None]:
    return decode(Ended(code, None, 1, 1), Captured(stream, len(stream) if total is None else total))


@pytest.mark.parametrize(
    ("stream", "code", "means"),
    [
        (b"0 0\n", 0, (0, None, 0)),
        (b"3 12\n", 3, (3, None, 12)),
        (b"137 0\n", 137, (137, None, 0)),
        (b"Killed\n137 1\n", 137, (None, 9, 1)),
        (b'sh: line 1:     3 Killed    ( exec 2>&8 8>&- 9>&-; exec "$@" )\n137 0\n', 137, (None, 9, 0)),
        (b"130 0\n", 130, (None, 2, 0)),
        (b"said something\n255 0\n", 255, (255, None, 0)),
        (b"", 137, (None, 9, None)),
        (b"", 4, (4, None, None)),
    ],
)
def test_honest_streams(stream: bytes, code: int, means: tuple[int | None, int | None, int | None]) -> None:
    assert read(stream, code=code) == means


@pytest.mark.parametrize(
    "stream",
    [
        b"0 " + b"1" * 4000 + b"\n",
        b"0 5\n0 0\n",
        b"0 5\nx0 0\n",
        b"1 5\n",
        b"x0 0\n",
        b"0 0\nx",
        b"0 0\n0 ",
        b"0 0",
        b"0 0 \n",
        "\u0660 \u0660\n".encode(),
    ],
)
def test_forged_streams_count_for_nothing(stream: bytes) -> None:
    assert read(stream) == (0, None, None)
    assert read(stream, code=139) == (None, 11, None)


def test_a_lie_before_the_report_is_passed_over() -> None:
    assert read(b"0 " + b"1" * 4000 + b"\n0 3\n") == (0, None, 3)


def test_a_stream_that_was_cut_counts_for_nothing() -> None:
    assert read(b"0 0\n", total=KEEP_BYTES + 1) == (0, None, None)


def test_the_shell_may_be_killed_itself() -> None:
    assert decode(Ended(None, 9, 1, 1), Captured()) == (None, 9, None)


@given(st.binary(max_size=200), st.integers(0, 255))
def test_no_stream_raises_or_changes_the_code(stream: bytes, code: int) -> None:
    exit_code, number, orphans = read(stream, code=code)
    assert code == (exit_code if number is None else 128 + number)
    assert orphans is None or orphans >= 0
