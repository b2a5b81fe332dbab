"""Streams are handed on as they come, and their end is told apart from an agent that left."""

from __future__ import annotations

import http.client
import json

from tallystick.recording.gateway import Traffic
from tallystick.records.journal import failed_by_provider
from tests.support.waiting import wait_until
from tests.unit.recording.gateway.conftest import Attempt, Bench, MakeBench
from tests.unit.recording.gateway.raw import CHAT, chat, post


def begin(attempt: Attempt) -> tuple[http.client.HTTPConnection, http.client.HTTPResponse]:
    connection = http.client.HTTPConnection("127.0.0.1", attempt.port, timeout=20)
    connection.request("POST", CHAT, json.dumps(chat(stream=True)).encode(), {"content-type": "application/json"})
    return connection, connection.getresponse()


def test_events_arrive_while_the_provider_still_speaks(bench: MakeBench) -> None:
    one = bench(faults={0: "slow"})
    attempt = one.open()
    connection, answer = begin(attempt)
    first = answer.read1()
    assert b"[DONE]" not in first
    assert not attempt.session._recorder.calls()  # the call is still under way
    rest = answer.read()
    connection.close()
    assert b"[DONE]" in rest
    assert attempt.close().events[0].members["complete"] is True


def test_an_agent_that_leaves_at_the_last_event_has_a_whole_answer(bench: MakeBench) -> None:
    """Many clients close at `[DONE]`, before the end of the stream; whose turn comes first must not show."""
    one = bench()
    for _ in range(10):
        attempt = one.open()
        connection, answer = begin(attempt)
        got = b""
        while b"[DONE]" not in got:
            got += answer.read1()
        connection.close()
        traffic = attempt.close()
        assert [event.members["complete"] for event in traffic.events] == [True]


def test_an_agent_that_leaves_in_the_middle(bench: MakeBench) -> None:
    one = bench(faults={0: "slow"})
    one.provider.pause_s = 0.5
    attempt = one.open()
    connection, answer = begin(attempt)
    answer.read1()
    connection.close()
    wait_until(lambda: bool(attempt.session._recorder.calls()))
    traffic = attempt.close()
    assert [event.members["complete"] for event in traffic.events] == [False]
    assert (traffic.failure, "the agent gave it up" in str(traffic.problems)) == (None, True)
    again = one.replay(traffic)
    connection, answer = begin(again)
    answer.read1()
    connection.close()
    assert again.close().events == traffic.events


def given_up(one: Bench) -> Traffic:
    """What is recorded of an agent that stops waiting for an answer, once its request has reached the provider."""
    attempt = one.open()
    connection = http.client.HTTPConnection("127.0.0.1", attempt.port, timeout=20)
    connection.request("POST", CHAT, json.dumps(chat()).encode())
    wait_until(lambda: bool(one.provider.seen))
    connection.close()
    return attempt.close()


def test_an_agent_that_gives_up_waiting(bench: MakeBench) -> None:
    one = bench(faults={0: "silent"})
    traffic = given_up(one)
    assert [(event.members["status"], event.members["complete"]) for event in traffic.events] == [(499, False)]
    assert traffic.failure is None
    assert not failed_by_provider(499)


def test_in_replay_it_waits_again(bench: MakeBench) -> None:
    """An agent that is more patient now gets an error at last, as from a provider that does not answer."""
    one = bench(faults={0: "silent"})
    traffic = given_up(one)
    for patience in (0.5, 20):
        again = one.replay(traffic)
        connection = http.client.HTTPConnection("127.0.0.1", again.port, timeout=patience)
        connection.request("POST", CHAT, json.dumps(chat()).encode())
        try:
            assert connection.getresponse().status == 502
        except TimeoutError:
            assert patience < 1
        connection.close()
        replayed = again.close()
        assert (replayed.events, replayed.divergence, replayed.failure) == (traffic.events, None, None)


def test_overlapping_calls_keep_their_order_of_arrival(bench: MakeBench) -> None:
    one = bench(faults={0: "slow"})
    attempt = one.open()
    connection, answer = begin(attempt)
    post(attempt.port, chat("beside it"))
    answer.read()
    connection.close()
    traffic = attempt.close()
    assert traffic.cassette is not None
    assert [call.streamed for call in traffic.cassette.calls] == [True, False]
    again = one.replay(traffic)
    post(again.port, chat("beside it"))
    connection, answer = begin(again)
    answer.read()
    connection.close()
    assert again.close().events == traffic.events
