"""Replay: which recorded call a request is, and what is said where it is none."""

from __future__ import annotations

import msgspec
import pytest

from tallystick.core.errors import TallyError
from tallystick.recording.gateway import Recording, Traffic
from tallystick.records.blobs import MemoryBlobs
from tallystick.records.traffic.rules import Drop, Rename, RuleSet
from tests.unit.recording.gateway.conftest import Attempt, Bench, MakeBench
from tests.unit.recording.gateway.raw import chat, post

IDS = RuleSet(rules=(Rename(name="id", pattern="id-[0-9a-f]{8}"), Drop(name="took", pattern="in [0-9]{1,3} ms")))
HANDLES = RuleSet(rules=(Rename(name="id", pattern="id-[0-9a-f]{8}", handle=True),))


def recorded(one: Bench, *texts: str) -> Traffic:
    live = one.open()
    for text in texts:
        assert post(live.port, chat(text)).status == 200
    return live.close()


def diverges(attempt: Attempt, text: str) -> None:
    got = post(attempt.port, chat(text))
    assert (got.status, got.json["error"]["type"]) == (409, "diverged")
    assert attempt.session.stop == "diverged"


def test_another_request_is_named_with_both_windows(bench: MakeBench) -> None:
    one = bench()
    again = one.replay(recorded(one, "one", "two"))
    assert post(again.port, chat("one")).status == 200
    diverges(again, "three")
    diverges(again, "two")  # once diverged, everything is
    traffic = again.close()
    assert traffic.divergence == 'call 1: messages[0].content: recorded "two", now "three"'
    assert len(traffic.events) == 1


def test_a_call_too_many(bench: MakeBench) -> None:
    one = bench()
    again = one.replay(recorded(one, "one"))
    post(again.port, chat("one"))
    diverges(again, "one")
    assert again.close().divergence == "one call more than recorded: POST /v1/chat/completions (recorded: 1)"


def test_calls_that_were_not_made(bench: MakeBench) -> None:
    one = bench()
    again = one.replay(recorded(one, "one", "two", "three"))
    post(again.port, chat("two"))
    said = "2 recorded calls were not made (first: call 0, POST /v1/chat/completions)"
    assert again.close().divergence == said


def test_order_is_that_of_the_recording(bench: MakeBench) -> None:
    one = bench()
    traffic = recorded(one, "one", "two")
    again = one.replay(traffic)
    for text in ("two", "one"):
        post(again.port, chat(text))
    replayed = again.close()
    assert (replayed.events, replayed.divergence) == (traffic.events, None)


def test_equal_requests_are_served_in_their_order(bench: MakeBench) -> None:
    one = bench()
    traffic = recorded(one, "same", "same")
    again = one.replay(traffic)
    assert [post(again.port, chat("same")).json["id"] for _ in range(2)] == ["chatcmpl-0", "chatcmpl-1"]
    assert again.close().events == traffic.events


def test_renamed_values_are_a_bijection(bench: MakeBench) -> None:
    one = bench(rules=IDS)
    traffic = recorded(one, "id-11111111 and id-22222222 in 7 ms", "id-11111111")
    assert traffic.spans == 4
    again = one.replay(traffic)
    assert post(again.port, chat("id-aaaaaaaa and id-bbbbbbbb in 999 ms")).status == 200
    diverges(again, "id-bbbbbbbb")
    assert "call 1: " in str(again.close().divergence)
    again = one.replay(traffic)
    for text in ("id-aaaaaaaa and id-bbbbbbbb in 12 ms", "id-aaaaaaaa"):
        assert post(again.port, chat(text)).status == 200
    replayed = again.close()
    assert (replayed.events, replayed.divergence, replayed.spans) == (traffic.events, None, 4)


def test_a_handle_is_mapped_in_the_answer(bench: MakeBench) -> None:
    """The scripted provider repeats the name of a model, here a value that differs from run to run."""
    one = bench(rules=HANDLES)
    live = one.open()
    post(live.port, chat() | {"model": "id-11111111"})
    traffic = live.close()
    assert traffic.leaks == 0
    again = one.replay(traffic)
    assert post(again.port, chat() | {"model": "id-aaaaaaaa"}).json["model"] == "id-aaaaaaaa"
    assert again.close().events == traffic.events


def test_a_renamed_value_in_an_answer_is_a_leak(bench: MakeBench) -> None:
    one = bench(rules=IDS)
    live = one.open()
    post(live.port, chat() | {"model": "id-11111111"})
    traffic = live.close()
    assert (traffic.leaks, "a replay may not count" in str(traffic.problems)) == (1, True)
    for value, leaks in (("id-aaaaaaaa", 1), ("id-11111111", 0)):
        again = one.replay(traffic)
        post(again.port, chat() | {"model": value})
        replayed = again.close()
        assert (replayed.leaks, replayed.divergence) == (leaks, None)
        assert "may not count" not in str(replayed.problems)


def test_rules_are_the_readers(bench: MakeBench) -> None:
    """A recording normalised with rules does not bring them along."""
    one = bench(rules=IDS)
    traffic = recorded(one, "id-11111111")
    one.gateway = None
    one.options.pop("rules")
    again = one.replay(traffic)
    diverges(again, "id-aaaaaaaa")
    assert '"id-11111111", now "id-aaaaaaaa"' in str(again.close().divergence)


def test_usage_is_read_from_the_answers_and_not_believed(bench: MakeBench) -> None:
    one = bench()
    traffic = recorded(one, "one")
    assert traffic.cassette is not None
    call = traffic.cassette.calls[0]
    forged = msgspec.structs.replace(call, usage=msgspec.structs.replace(call.usage, output=0), cost_usd=0)
    again = one.open(recording=Recording(msgspec.structs.replace(traffic.cassette, calls=(forged,)), one.store))
    post(again.port, chat("one"))
    replayed = again.close()
    assert (replayed.usage, replayed.cost_usd) == (traffic.usage, traffic.cost_usd)


def test_a_recording_without_its_blobs_is_refused(bench: MakeBench) -> None:
    one = bench()
    traffic = recorded(one, "one")
    assert traffic.cassette is not None
    with pytest.raises(TallyError, match="is not in memory"):
        one.open(recording=Recording(traffic.cassette, MemoryBlobs()))


def test_an_answer_that_is_missing_is_told(bench: MakeBench) -> None:
    one = bench()
    traffic = recorded(one, "one")
    assert traffic.cassette is not None
    blobs = MemoryBlobs()
    blobs.put(one.store.read(traffic.cassette.calls[0].body.part))
    again = one.open(recording=Recording(traffic.cassette, blobs))
    assert post(again.port, chat("one")).status == 500
    with pytest.raises(TallyError, match="is not in memory"):
        again.close()


def test_nothing_is_kept_where_nothing_is_asked_to_be(bench: MakeBench) -> None:
    one = bench(keep=False)
    traffic = recorded(one, "one")
    assert (traffic.cassette, len(traffic.events), traffic.usage.input) == (None, 1, 100)
    one.store.flush()
    assert not [path for path in one.store._folder.rglob("*") if path.is_file()]
