"""A renamed value that stands in a later answer is found, however the answer was streamed."""

import json

import pytest

from tallystick.records.traffic import leaks as leaks_module
from tallystick.records.traffic.leaks import LeakWatch, leaks
from tests.unit.records.traffic.requests import ONE, TWO, asked

PLAIN = "application/json"
STREAM = "text/event-stream"


def streamed(*pieces: str) -> bytes:
    """A streamed chat answer that says the pieces."""
    chunks = [{"choices": [{"index": 0, "delta": {"content": piece}}]} for piece in pieces]
    return b"".join(b"data: " + json.dumps(chunk).encode() + b"\n\n" for chunk in chunks)


def test_of_the_values_those_that_later_answers_hold() -> None:
    later = [(PLAIN, json.dumps({"a": f"see {TWO}"}).encode()), (STREAM, streamed("x ", "12345", "678"))]
    assert leaks([ONE, TWO, "12345678", "see", TWO], (), later) == (TWO, "12345678")
    assert leaks([ONE, TWO], {TWO}, later) == ()


@pytest.mark.parametrize("cuts", [1, 5, 36])
def test_a_value_in_pieces_of_a_stream_is_found(cuts: int) -> None:
    watch = LeakWatch()
    watch.asked(asked({"a": ONE}))
    watch.answered(STREAM, streamed(*(ONE[at : at + cuts] for at in range(0, len(ONE), cuts))))
    assert list(watch.leaked) == [ONE]


def test_pieces_of_different_choices_are_not_put_together() -> None:
    chunks = [{"choices": [{"index": n % 2, "delta": {"content": piece}}]} for n, piece in enumerate((ONE[:18], ONE[18:]))]
    data = b"".join(b"data: " + json.dumps(chunk).encode() + b"\n\n" for chunk in chunks)
    assert leaks([ONE], (), [(STREAM, data)]) == ()


def test_what_an_answer_said_first_is_the_models_own() -> None:
    watch = LeakWatch()
    watch.asked(asked({"a": "start"}))
    watch.answered(PLAIN, json.dumps({"text": f"use {ONE}"}).encode())
    watch.asked(asked({"a": [ONE, TWO]}))
    watch.answered(PLAIN, json.dumps({"text": f"{ONE} {TWO}"}).encode())
    assert list(watch.leaked) == [TWO]


def test_handles_and_short_values_are_no_leaks() -> None:
    watch = LeakWatch()
    watch.asked(asked({"a": "session ID 9346812 and session ID 12"}))
    watch.answered(PLAIN, b'{"text":"session ID 9346812, 12"}')
    assert not watch.leaked


def test_more_values_than_are_followed_are_told() -> None:
    watch = LeakWatch()
    values = [f"{number:08x}-0000-4000-8000-000000000000" for number in range(leaks_module.FOLLOWED + 1)]
    watch.asked(asked(values[:-1]))
    assert not watch.overflow
    watch.asked(asked(values))
    assert watch.overflow


def test_more_answers_than_are_kept_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leaks_module, "KEPT_BYTES", 2000)
    watch = LeakWatch()
    watch.answered(PLAIN, b"x" * 1000)
    assert not watch.overflow
    watch.asked(asked({"a": ONE}))
    watch.answered(PLAIN, b"x" * 1000 + ONE.encode())
    assert (watch.overflow, list(watch.leaked)) == (True, [ONE])


@pytest.mark.parametrize("data", [b"", b"data: {", b'{"a":' * 2000, b"data: [1]\n\ndata: null\n\n", b"\xff" * 10, b"[" * 9999])
def test_malformed_answers_are_searched_as_text(data: bytes) -> None:
    assert leaks([ONE], (), [(STREAM, data + ONE.encode())]) == (ONE,)
    assert leaks([ONE], (), [(PLAIN, data)]) == ()
