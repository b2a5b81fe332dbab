"""A call goes out only while every bound is still to be reached, and the attempt is told to stop at the first that may not."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from tallystick.recording.gateway import Recording
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


def test_the_bound_of_a_run_counts_all_its_attempts(bench: MakeBench) -> None:
    one = bench(run_limit_usd=1)
    first, second = one.open(), one.open(token="tally-eeeeeeeeeeeeeeee")
    assert one.gateway is not None
    assert post(first.port, chat()).status == 200
    first.close()
    one.gateway._account.spent += Fraction(1)
    assert post(second.port, chat()).status == 402
    assert second.session.stop == "cost"


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
