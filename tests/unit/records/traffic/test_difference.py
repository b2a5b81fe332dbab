"""The first difference of two requests is named by its place, with what stands there in each."""

from typing import Any

import pytest

from tallystick.records.traffic.difference import first_difference
from tests.unit.records.traffic.requests import ONE, asked


@pytest.mark.parametrize(
    ("recorded", "now", "said"),
    [
        ({"a": "x"}, {"a": "y"}, 'a: recorded "x", now "y"'),
        (
            {"messages": [{}, {"content": "one"}]},
            {"messages": [{}, {"content": "two"}]},
            'messages[1].content: recorded "one", now "two"',
        ),
        ({"a": [1]}, {"a": [1, {"b": 2}]}, 'a[1]: recorded nothing, now {"b":2}'),
        ({"a": 1, "b": 2}, {"b": 2}, "a: recorded 1, now nothing"),
        ({"a": 1}, {"a": "1"}, 'a: recorded 1, now "1"'),
        ({"a": None}, {"a": False}, "a: recorded null, now false"),
        ({"a": f"id {ONE}"}, {"a": "id 7"}, 'a: recorded "id <uuid:1>", now "id 7"'),
        ({"a": "\x1b[31m\n"}, {"a": "\u202e"}, 'a: recorded "\\x1b[31m\\n", now "\\u202e"'),
        ([1], {"a": 1}, 'body: recorded [1], now {"a":1}'),
        (b"text", b"test", 'body_text: recorded "text", now "test"'),
        (b"", {}, "body: recorded nothing, now {}"),
    ],
)
def test_in_bodies(recorded: Any, now: Any, said: str) -> None:
    assert first_difference(asked(recorded), asked(now)) == said


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"method": "PUT"}, 'method: recorded "POST", now "PUT"'),
        ({"path": "/v2"}, 'path: recorded "/v1/messages", now "/v2"'),
        ({"query": "a=1"}, 'query: recorded "", now "a=1"'),
        ({"headers": (("anthropic-beta", "x"),)}, 'headers.anthropic-beta: recorded nothing, now "x"'),
    ],
)
def test_outside_bodies(change: dict[str, Any], said: str) -> None:
    assert first_difference(asked({}), asked({"other": 1}, **change)) == said


def test_long_values_are_shown_around_the_difference() -> None:
    said = first_difference(asked({"a": "x" * 500 + "one" + "y" * 500}), asked({"a": "x" * 500 + "two" + "y" * 500}))
    assert said == f'a: recorded "…{"x" * 20}one{"y" * 37}…", now "…{"x" * 20}two{"y" * 37}…"'


def test_a_hostile_place_and_value_stay_one_short_line() -> None:
    deep: Any = {"\n" * 1000: "\x1b" * 1000}
    for _ in range(30):
        deep = {"\u202e" * 100: deep}
    said = first_difference(asked(deep), asked({}))
    assert said.isprintable()
    assert len(said) < 330


def test_equal_requests() -> None:
    assert first_difference(asked({}), asked({})) == "the requests do not differ"
