"""Normalised requests: what they say, what rules make equal, and what stays different."""

import json
from typing import Any

import pytest

from tallystick.core.digest import sha256
from tallystick.records.traffic.normal import normalise, public_query
from tallystick.records.traffic.rules import EMPTY_RULES, Drop, Rename, RuleSet
from tests.unit.records.traffic.requests import ONE, RULES, TWO, asked


def test_the_canonical_text() -> None:
    request = normalise(
        RULES,
        "POST",
        "/v1/messages",
        "beta=true&key=secret",
        (("Anthropic-Beta", "a"), ("anthropic-beta", "b"), ("X-Session", "1"), ("Authorization", "x")),
        f'{{"b": 1.0, "a": ["id {ONE}", "{ONE} and {TWO}"]}}'.encode(),
    )
    assert request.text.decode() == (
        '{"body":{"a":["id "<uuid:1>"",""<uuid:1>" and "<uuid:2>""],"b":1.0},'
        '"headers":{"anthropic-beta":"a, b"},"method":"POST","path":"/v1/messages","query":"beta=true"}'
    )
    assert request.digest == sha256(request.text)
    assert request.values == (ONE, TWO)
    assert request.spans == 3


def test_no_rule_needed_is_no_span() -> None:
    request = asked({"a": "plain"})
    assert (request.spans, request.values, request.handles) == (0, (), frozenset())
    assert request.digest == asked({"a": "plain"}, EMPTY_RULES).digest


@pytest.mark.parametrize(
    ("body", "name", "value"),
    [
        (b"", None, None),
        (b'"a"', "body", '"a"'),
        (b"a", "body_text", '"a"'),
        (b'{"a":1,"a":1}', "body_text", '"{\\"a\\":1,\\"a\\":1}"'),
        (b"\xff\xfe", "body_base64", '"//4="'),
        (b"null", "body", "null"),
    ],
)
def test_bodies_that_are_no_json_are_told_from_those_that_are(body: bytes, name: str | None, value: str | None) -> None:
    text = asked(body).text.decode()
    assert f'{{"{name}":{value},"headers"' in text if name else text.startswith('{"headers"')


def test_rules_reach_a_body_that_is_text() -> None:
    assert asked(f"not json {ONE}".encode()).digest == asked(f"not json {TWO}".encode()).digest


@pytest.mark.parametrize(
    ("query", "kept"),
    [
        ("", ""),
        ("alt=sse&key=AIza", "alt=sse"),
        ("key=1", ""),
        ("KEY=1&a=b", "a=b"),
        ("%6bey=1&api%5Fkey=2&access_token=3&monkey=4", "monkey=4"),
        ("a&&b=%zz", "a&&b=%zz"),
    ],
)
def test_parameters_that_hold_secrets_are_left_out(query: str, kept: str) -> None:
    assert public_query(query) == kept
    assert asked({}, query=query).document["query"] == kept


@pytest.mark.parametrize(
    "change",
    [
        {"method": "PUT"},
        {"path": "/v1/message"},
        {"query": "beta=true"},
        {"headers": (("openai-beta", "x"),)},
    ],
)
def test_every_part_counts(change: dict[str, Any]) -> None:
    assert asked({}, **change).digest != asked({}).digest


def test_other_headers_do_not_count() -> None:
    assert asked({}, headers=(("x-stainless-retry-count", "1"), ("user-agent", "x"))).digest == asked({}).digest


def test_equal_values_stay_equal_and_different_ones_different() -> None:
    same, other = asked({"a": [ONE, ONE]}), asked({"a": [ONE, TWO]})
    assert same.digest == asked({"a": [TWO, TWO]}).digest
    assert other.digest == asked({"a": [TWO, ONE]}).digest
    assert same.digest != other.digest


def test_numbers_are_given_in_the_order_of_the_canonical_text() -> None:
    assert asked({"b": ONE, "a": TWO}).values == (TWO, ONE)
    assert asked({"x": ONE}, query=f"session={TWO}").values == (ONE, TWO)


@pytest.mark.parametrize("literal", ["<uuid:1>", '"<uuid:1>"', "<uuid:1>x"])
def test_text_that_looks_like_a_mark_is_none(literal: str) -> None:
    assert asked({"a": literal}).digest != asked({"a": literal.replace("<uuid:1>", ONE)}).digest


def test_member_names_and_numbers_are_left_alone() -> None:
    assert asked({ONE: 1}).digest != asked({TWO: 1}).digest
    digits = RuleSet(rules=(Rename(name="n", pattern=r"\d{1,9}"),))
    assert asked({"a": 12}, digits).digest != asked({"a": 13}, digits).digest
    assert asked({"a": "12"}, digits).digest == asked({"a": "13"}, digits).digest


def test_a_match_does_not_reach_into_the_next_string() -> None:
    pair = RuleSet(rules=(Rename(name="n", pattern=r"a\s{0,2}b"),))
    assert asked(["a", "b"], pair).spans == 0
    assert asked(["a\0b"], pair).spans == 0


def test_handles_are_told_from_other_values() -> None:
    request = asked({"a": f"session ID 93468 of {ONE}"})
    assert request.values == ("93468", ONE)
    assert request.handles == {"93468"}


def test_durations_are_dropped_but_not_that_there_was_one() -> None:
    assert asked({"a": "Ran 2 tests in 0.003s"}).digest == asked({"a": "Ran 2 tests in 12.345s"}).digest
    assert asked({"a": "Ran 2 tests in 0.003s"}).digest != asked({"a": "Ran 2 tests in s"}).digest
    assert asked({"a": "Ran 2 tests in 0.003s"}).digest != asked({"a": "Ran 3 tests in 0.003s"}).digest


@pytest.mark.parametrize(("text", "spans"), [("123", 0), (" 123\n", 0), ("123 456", 0), ("a 123", 1), ("", 0)])
def test_a_drop_never_takes_a_whole_string(text: str, spans: int) -> None:
    greedy = RuleSet(rules=(Drop(name="all", pattern=r"\d{1,9}"),))
    assert asked({"a": text}, greedy).spans == spans


def test_nothing_is_dropped_outside_the_body() -> None:
    greedy = RuleSet(rules=(Drop(name="all", pattern=r"\d{1,9}"),))
    apart = asked({}, greedy, path="/v1/x2", query="n=3", headers=(("anthropic-version", "2023-06-01"),))
    assert apart.spans == 0


def test_a_drop_wins_over_a_rename_and_the_earlier_rule_over_the_later() -> None:
    rules = RuleSet(
        rules=(
            Rename(name="first", pattern=r"id \d{1,3}"),
            Rename(name="second", pattern=r"\d{1,3} end"),
            Drop(name="dropped", pattern=r"\d{1,3} ms"),
        )
    )
    text = asked({"a": "id 7 end, id 8 ms, 9 end"}, rules).text.decode()
    assert '""<first:1>" end, id "<dropped>", "<second:1>""' in text


def results(*order: str, last: bool = True) -> dict[str, Any]:
    """A message with tool results in this order, the last one marked for the cache, and a text after them."""
    found: list[dict[str, Any]] = [{"tool_use_id": name, "content": f"result {name}"} for name in order]
    if last:
        found[-1]["cache_control"] = {"type": "ephemeral"}
    return {"messages": [{"role": "user", "content": [*found, {"type": "text", "text": "go on"}]}]}


def test_results_are_sorted_and_the_mark_stays_on_the_last() -> None:
    assert asked(results("a", "b", "c")).spans == 0
    assert asked(results("b", "a", "c")).spans == 2
    for order in ("bac", "cab", "cba"):
        assert asked(results(*order)).digest == asked(results("a", "b", "c")).digest
    assert asked(results("a", "b", last=False)).digest != asked(results("a", "b")).digest


def test_sorting_keeps_every_item_and_what_stands_between() -> None:
    assert asked(results("a", "b")).digest != asked(results("a", "c")).digest
    apart = {"messages": [{"content": [{"tool_use_id": "b"}, "text", {"tool_use_id": "a"}, {"tool_use_id": 1}]}]}
    assert asked(apart).spans == 0


@pytest.mark.parametrize("body", [{"messages": 1}, {"messages": [1, {"content": "x"}]}, [], {"messages": {"content": []}}])
def test_a_body_of_another_shape_is_not_sorted(body: Any) -> None:
    assert asked(body).digest == asked(body, EMPTY_RULES).digest


def test_numbers_keep_their_text_and_members_have_no_order() -> None:
    assert asked(b'{"a":1,"b":2}').digest == asked(b'{ "b":2, "a":1 }').digest
    assert asked(b'{"a":1}').digest != asked(b'{"a":1.0}').digest
    assert asked(b'{"a":10000000000000001}').digest != asked(b'{"a":10000000000000002}').digest


NEAR = {
    "hex": "0123456789abcdef" * 65_536,
    "almost a uuid": f"{ONE[:-1]} " * 29_000,
    "almost a duration": "Ran 123456 tests in 123456.12" * 36_000,
    "only beginnings": "Ran " * 260_000,
    "digits": "1" * 1_000_000,
}


@pytest.mark.parametrize("name", NEAR)
def test_a_megabyte_of_near_matches_touches_nothing(name: str) -> None:
    """How long it takes is measured in benchmarks; that it ends at all is the point here."""
    assert asked({"a": NEAR[name]}).spans == 0


def test_a_megabyte_of_matches() -> None:
    values = [f"{number:08x}-0000-4000-8000-000000000000" for number in range(27_000)]
    request = asked(json.dumps(values).encode())
    assert request.spans == len(request.values) == 27_000
