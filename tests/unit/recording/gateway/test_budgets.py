"""A call goes out only while every bound is still to be reached, and the attempt is told to stop at the first that may not."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tallystick.recording.gateway import Recording
from tallystick.recording.gateway import bounds as gateway_bounds
from tests.unit.recording.gateway.conftest import MakeBench
from tests.unit.recording.gateway.raw import chat, post


@pytest.mark.parametrize(
    ("bounds", "stop", "made"),
    [
        ({"calls": 2}, "calls", 2),
        ({"tokens": 110}, "tokens", 1),
        ({"tokens": 111}, "tokens", 2),
        ({"cost_usd": 0}, "cost", 0),
        ({"calls": 0}, "calls", 0),
    ],
)
def test_a_bound_of_an_attempt(bench: MakeBench, bounds: dict[str, Any], stop: str, made: int) -> None:
    one = bench()
    live = one.open(**bounds)
    for number in range(made):
        assert post(live.port, chat(str(number))).status == 200
        assert live.session.stop is None
    for _ in range(2):
        got = post(live.port, chat("one too many"))
        assert (got.status, got.json["error"]["type"], got.headers["x-should-retry"]) == (402, "budget_exceeded", "false")
    assert live.session.stop == stop
    traffic = live.close()
    assert (len(traffic.events), len(one.provider.seen), live.turns.ticks) == (made, made, made)


def test_replay_stops_where_the_recording_did(bench: MakeBench) -> None:
    """Bounds hold in replay by the recorded answers, without a call to spare."""
    one = bench()
    live = one.open(tokens=200)
    statuses = [post(live.port, chat(str(number))).status for number in range(3)]
    traffic = live.close()
    assert traffic.cassette is not None
    again = one.open(recording=Recording(traffic.cassette, one.store), tokens=200)
    assert [post(again.port, chat(str(number))).status for number in range(3)] == statuses == [200, 200, 402]
    replayed = again.close()
    assert (again.session.stop, replayed.divergence, replayed.events) == ("tokens", None, traffic.events)


def test_calls_at_the_same_moment_are_each_counted(bench: MakeBench) -> None:
    """In replay too, where it takes a moment to find which call a request is."""
    one = bench(faults=dict.fromkeys(range(8), "slow"))
    live = one.open(calls=3)
    assert _at_once(live.port, 8) == [200] * 3 + [402] * 5
    traffic = live.close()
    assert traffic.cassette is not None
    again = one.open(recording=Recording(traffic.cassette, one.store), calls=3)
    assert _at_once(again.port, 8) == [200] * 3 + [402] * 5
    assert again.close().divergence is None


def _at_once(port: int, calls: int) -> list[int]:
    with ThreadPoolExecutor(calls) as pool:
        return sorted(pool.map(lambda _: post(port, chat()).status, range(calls)))


def test_calls_that_ask_no_model_have_a_bound_of_their_own(bench: MakeBench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gateway_bounds, "CALLS", 3)
    one = bench()
    live = one.open(calls=1)
    assert [post(live.port, path="/", method="HEAD").status for _ in range(4)] == [404, 404, 404, 402]
    assert (live.session.stop, len(live.close().events)) == ("calls", 3)


@pytest.mark.parametrize(("name", "most"), [("CASSETTE_BYTES", 600_000), ("CASSETTE_VALUES", 240_000)])
def test_a_cassette_has_room_for_so_much(bench: MakeBench, monkeypatch: pytest.MonkeyPatch, name: str, most: int) -> None:
    """An agent whose calls would make a document that nobody reads is stopped before; what it made until then counts."""
    monkeypatch.setattr(gateway_bounds, name, most)
    one = bench()
    live = one.open()
    statuses = [post(live.port, chat(stop=["," * 1000] * 4, user=str(number))).status for number in range(40)]
    made = statuses.count(200)
    assert 5 < made < 40
    assert statuses == [200] * made + [402] * (40 - made)
    assert live.session.stop == "calls"
    traffic = live.close()
    assert traffic.cassette is not None
    again = one.open(recording=Recording(traffic.cassette, one.store))
    assert [post(again.port, chat(stop=["," * 1000] * 4, user=str(number))).status for number in range(40)] == statuses


def test_a_model_without_a_price_is_named(bench: MakeBench) -> None:
    one = bench(prices=None)
    live = one.open(cost_usd=1)
    assert post(live.port, chat()).status == 200
    traffic = live.close()
    assert (traffic.cost_usd, traffic.usage.input) == (None, 100)


def test_usage_that_nobody_tells_is_named(bench: MakeBench) -> None:
    live = bench().open(tokens=1)
    assert post(live.port, chat(stream=True)).status == 200
    traffic = live.close()
    assert traffic.problems == ("call 0: its answer tells no usage, so it counts nothing",)
